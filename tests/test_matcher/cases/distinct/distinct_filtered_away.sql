-- A filter on a column that is gone.
-- v: no GROUPING.FINER
CREATE VIEW v AS SELECT DISTINCT deptno FROM emp;
SELECT DISTINCT deptno FROM emp WHERE sal > 3
