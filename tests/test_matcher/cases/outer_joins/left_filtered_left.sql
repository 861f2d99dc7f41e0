-- A filter on the preserved side.
-- v: match
CREATE VIEW v AS SELECT d.dname, d.budget, e.ename FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno;
SELECT d.dname, e.ename FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno WHERE d.budget > 3
