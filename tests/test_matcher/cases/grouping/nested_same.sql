-- The whole nested query.
-- v: match
CREATE VIEW v AS SELECT m % 2 AS p, count(*) AS n FROM (SELECT deptno, max(sal) AS m FROM emp GROUP BY deptno) q GROUP BY m % 2;
SELECT m % 2 AS p, count(*) AS n FROM (SELECT deptno AS d, max(sal) AS m FROM emp GROUP BY deptno) z GROUP BY m % 2
