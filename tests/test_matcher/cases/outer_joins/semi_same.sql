-- The same semi join.
-- v: match
CREATE VIEW v AS SELECT d.dname, d.budget FROM dept d LEFT SEMI JOIN emp e ON d.deptno = e.deptno;
SELECT d.dname FROM dept d LEFT SEMI JOIN emp e ON d.deptno = e.deptno WHERE d.budget > 2
