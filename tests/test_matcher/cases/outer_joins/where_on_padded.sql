-- A filter above the same left join.
-- v: match
CREATE VIEW v AS SELECT d.dname, e.ename, e.sal, e.empno FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno;
SELECT d.dname FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno WHERE e.empno IS NULL
