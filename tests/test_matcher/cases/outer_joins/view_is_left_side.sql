-- The view has the preserved side.
-- v: match
CREATE VIEW v AS SELECT dname, deptno, budget FROM dept WHERE budget > 1;
SELECT d.dname, e.ename FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno WHERE d.budget > 3
