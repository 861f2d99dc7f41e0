-- IS NULL above keeps the rows without a partner.
-- v: no TABLES.EXTRA
CREATE VIEW v AS SELECT d.dname, e.ename, e.sal, e.empno FROM dept d JOIN emp e ON d.deptno = e.deptno;
SELECT d.dname, e.ename FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno WHERE e.sal IS NULL
