-- The rows with a partner.
-- v: match
CREATE VIEW v AS SELECT d.dname, e.empno, e.ename FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno;
SELECT d.dname, e.ename FROM dept d JOIN emp e ON d.deptno = e.deptno
