-- A filter on the grouping column.
-- v: match
CREATE VIEW v AS SELECT deptno, sum(sal) AS s FROM emp GROUP BY deptno;
SELECT deptno, sum(sal) AS s FROM emp WHERE deptno > 3 GROUP BY deptno
