-- SUM(3 - 2 * x) from SUM(x) and COUNT(x).
-- v: match
CREATE VIEW v AS SELECT deptno, sum(sal) AS s, count(sal) AS n FROM emp GROUP BY deptno;
SELECT sum(3 - 2 * sal) AS t FROM emp
