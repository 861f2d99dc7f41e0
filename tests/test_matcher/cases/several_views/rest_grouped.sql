-- Groups over the view's rows and the rest.
-- rest: v
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT deptno, sal FROM emp WHERE sal > 5;
SELECT deptno, count(*) AS n, sum(sal) AS s FROM emp WHERE sal > 2 GROUP BY deptno
