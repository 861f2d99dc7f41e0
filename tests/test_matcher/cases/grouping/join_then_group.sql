-- Groups over a join.
-- v: match
CREATE VIEW v AS SELECT d.city, e.active, count(*) AS n, sum(e.sal) AS s FROM emp e JOIN dept d ON e.deptno = d.deptno GROUP BY d.city, e.active;
SELECT d.city, sum(e.sal) AS s FROM emp e, dept d WHERE d.deptno = e.deptno GROUP BY d.city
