-- A derived table.
-- v: match part
CREATE VIEW v AS SELECT deptno, count(*) AS n, sum(sal) AS s FROM emp GROUP BY deptno;
SELECT d.dname, q.n FROM dept d JOIN (SELECT deptno, count(*) AS n FROM emp GROUP BY deptno) q ON d.deptno = q.deptno
