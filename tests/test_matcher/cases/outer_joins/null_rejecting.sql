-- A filter above makes the left join an inner one.
-- v: match
CREATE VIEW v AS SELECT d.dname, e.ename, e.sal, e.empno FROM dept d JOIN emp e ON d.deptno = e.deptno;
SELECT d.dname, e.ename FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno WHERE e.sal > 3
