-- SUM(2 * x) is twice SUM(x).
-- v: match
CREATE VIEW v AS SELECT deptno, sum(sal) AS s FROM emp GROUP BY deptno;
SELECT deptno, sum(2 * sal) AS twice FROM emp GROUP BY deptno
