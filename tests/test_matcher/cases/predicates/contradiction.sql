-- A query that is always empty is in every view.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal > 5;
SELECT ename FROM emp WHERE sal > 3 AND sal < 2
