-- Groups over a union.
-- v: match
CREATE VIEW v AS SELECT deptno, sal FROM emp UNION ALL SELECT deptno, budget FROM dept;
SELECT deptno, sum(sal) AS s FROM (SELECT deptno, sal FROM emp UNION ALL SELECT deptno, budget FROM dept) q GROUP BY deptno
