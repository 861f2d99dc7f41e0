-- More columns than the view made distinct.
-- v: no GROUPING.FINER
CREATE VIEW v AS SELECT DISTINCT deptno FROM emp;
SELECT DISTINCT deptno, sal FROM emp
