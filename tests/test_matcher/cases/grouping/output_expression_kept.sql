-- The view shows only the expression.
-- v: match
CREATE VIEW v AS SELECT deptno, sum(sal) + count(*) AS x FROM emp GROUP BY deptno;
SELECT deptno, sum(sal) + count(*) AS y FROM emp GROUP BY deptno
