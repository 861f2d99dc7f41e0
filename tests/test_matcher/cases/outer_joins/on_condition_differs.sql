-- A condition in ON is not a condition in WHERE.
-- v: no JOIN.KIND
CREATE VIEW v AS SELECT d.dname, e.ename, e.sal FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno;
SELECT d.dname, e.ename FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno AND e.sal > 3
