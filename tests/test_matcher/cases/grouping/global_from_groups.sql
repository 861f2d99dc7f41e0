-- One group of all.
-- v: match
CREATE VIEW v AS SELECT deptno, count(*) AS n, sum(sal) AS s, max(sal) AS m FROM emp GROUP BY deptno;
SELECT count(*) AS n, sum(sal) AS s, max(sal) AS m FROM emp
