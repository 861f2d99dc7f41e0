-- A left join has a row as often as it has partners.
-- v: no TABLES.EXTRA
CREATE VIEW v AS SELECT d.dname, e.empno FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno;
SELECT d.dname FROM dept d WHERE EXISTS (SELECT 1 FROM emp e WHERE e.deptno = d.deptno)
