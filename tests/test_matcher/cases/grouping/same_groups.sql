-- The same groups.
-- v: match
CREATE VIEW v AS SELECT deptno, count(*) AS n, sum(sal) AS s FROM emp GROUP BY deptno;
SELECT deptno, sum(sal) AS total FROM emp GROUP BY deptno
