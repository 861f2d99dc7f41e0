-- AVG from SUM and COUNT of the same group.
-- v: match
CREATE VIEW v AS SELECT deptno, sum(sal) AS s, count(sal) AS n FROM emp GROUP BY deptno;
SELECT deptno, avg(sal) AS m FROM emp GROUP BY deptno
