-- The same condition in ON.
-- v: match
CREATE VIEW v AS SELECT d.dname, e.ename, e.sal FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno AND e.sal > 3;
SELECT d.dname, e.ename FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno AND 3 < e.sal
