-- The department's name, by its number.
-- v: match
CREATE VIEW v AS SELECT e.deptno, count(*) AS n FROM emp e JOIN dept d ON e.deptno = d.deptno GROUP BY e.deptno;
SELECT d.dname, count(*) AS n FROM emp e JOIN dept d ON e.deptno = d.deptno GROUP BY d.dname
