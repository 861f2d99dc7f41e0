-- MIN and MAX.
-- v: match
CREATE VIEW v AS SELECT deptno, active, min(sal) AS a, max(sal) AS b FROM emp GROUP BY deptno, active;
SELECT deptno, min(sal) AS lo, max(sal) AS hi FROM emp GROUP BY deptno
