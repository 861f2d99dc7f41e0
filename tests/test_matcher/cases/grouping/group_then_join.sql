-- A further table is joined to the groups.
-- v: match
CREATE VIEW v AS SELECT deptno, count(*) AS n, sum(sal) AS s FROM emp GROUP BY deptno;
SELECT d.city, count(*) AS n, sum(e.sal) AS s FROM emp e JOIN dept d ON e.deptno = d.deptno GROUP BY d.city
