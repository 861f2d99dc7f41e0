-- A derived table under a left join.
-- v: match part
CREATE VIEW v AS SELECT deptno, count(*) AS n FROM emp GROUP BY deptno;
SELECT d.dname, q.n FROM dept d LEFT JOIN (SELECT deptno, count(*) AS n FROM emp GROUP BY deptno) q ON d.deptno = q.deptno
