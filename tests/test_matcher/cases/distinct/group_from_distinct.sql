-- Groups without counts.
-- v: match
CREATE VIEW v AS SELECT DISTINCT deptno, sal FROM emp;
SELECT deptno, max(sal) AS m FROM emp GROUP BY deptno
