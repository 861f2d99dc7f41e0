-- Rows without a partner are not in an inner join.
-- v: no TABLES.EXTRA
CREATE VIEW v AS SELECT d.dname, e.empno, e.ename, d.deptno FROM dept d JOIN emp e ON d.deptno = e.deptno;
SELECT d.dname, e.ename FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno
