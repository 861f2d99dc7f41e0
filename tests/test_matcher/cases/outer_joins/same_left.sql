-- The same left join.
-- v: match
CREATE VIEW v AS SELECT d.dname, e.ename, e.sal FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno;
SELECT d.dname, e.ename FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno
