-- A boolean column as a condition.
-- v: match
CREATE VIEW v AS SELECT ename, active, sal FROM emp WHERE active;
SELECT ename FROM emp WHERE active AND sal > 1
