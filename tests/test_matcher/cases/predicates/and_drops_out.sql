-- A conjunct that the view has already is not filtered again.
-- v: match
CREATE VIEW v AS SELECT ename FROM emp WHERE sal > 5 AND comm < 3;
SELECT ename FROM emp WHERE comm < 3 AND sal > 5
