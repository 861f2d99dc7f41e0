-- The column in the middle is not kept.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal = deptno;
SELECT ename FROM emp WHERE sal = comm AND comm = deptno AND sal > 1
