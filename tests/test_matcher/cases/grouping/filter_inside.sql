-- A filter on a column that is grouped away.
-- v: no GROUPING.FINER
CREATE VIEW v AS SELECT deptno, sum(sal) AS s FROM emp GROUP BY deptno;
SELECT deptno, sum(sal) AS s FROM emp WHERE comm > 3 GROUP BY deptno
