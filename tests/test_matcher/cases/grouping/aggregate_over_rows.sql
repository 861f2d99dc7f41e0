-- Groups from rows.
-- v: match
CREATE VIEW v AS SELECT deptno, sal, comm FROM emp WHERE sal > 1;
SELECT deptno, sum(sal) AS s, count(*) AS n, avg(comm) AS a FROM emp WHERE sal > 2 GROUP BY deptno
