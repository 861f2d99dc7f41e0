-- The view has taken padded rows away.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT d.dname, e.ename, e.sal FROM dept d LEFT JOIN bonus b ON d.deptno = b.empno LEFT JOIN emp e ON d.deptno = e.deptno WHERE d.budget > 3;
SELECT d.dname, e.ename FROM dept d LEFT JOIN bonus b ON d.deptno = b.empno LEFT JOIN emp e ON d.deptno = e.deptno
