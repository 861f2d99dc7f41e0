-- A semi join is EXISTS.
-- v: match
CREATE VIEW v AS SELECT d.dname FROM dept d LEFT SEMI JOIN emp e ON d.deptno = e.deptno;
SELECT d.dname FROM dept d WHERE EXISTS (SELECT 1 FROM emp e WHERE d.deptno = e.deptno)
