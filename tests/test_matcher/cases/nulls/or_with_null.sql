-- OR with a NULL side.
-- v: match
CREATE VIEW v AS SELECT ename, sal, comm FROM emp WHERE sal > 3 OR comm > 3;
SELECT ename FROM emp WHERE sal > 3 AND comm IS NULL
