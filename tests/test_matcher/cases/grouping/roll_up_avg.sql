-- AVG from SUM and COUNT.
-- v: match
CREATE VIEW v AS SELECT deptno, active, sum(sal) AS s, count(sal) AS n FROM emp GROUP BY deptno, active;
SELECT deptno, avg(sal) AS m FROM emp GROUP BY deptno
