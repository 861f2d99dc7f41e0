-- A reference below the grouping.
-- v: match
CREATE VIEW v AS SELECT e.deptno, d.city, count(*) AS n FROM emp e JOIN dept d ON e.deptno = d.deptno GROUP BY e.deptno, d.city;
SELECT deptno, count(*) AS n FROM emp GROUP BY deptno
