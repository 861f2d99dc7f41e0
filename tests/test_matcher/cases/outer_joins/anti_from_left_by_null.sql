-- The same, written as a left join.
-- v: match
CREATE VIEW v AS SELECT d.dname, d.budget, e.empno, e.sal FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno;
SELECT d.dname, e.sal FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno WHERE e.empno IS NULL
