-- An anti join is NOT EXISTS.
-- v: match
CREATE VIEW v AS SELECT d.dname FROM dept d LEFT ANTI JOIN emp e ON d.deptno = e.deptno;
SELECT d.dname FROM dept d WHERE NOT EXISTS (SELECT 1 FROM emp e WHERE d.deptno = e.deptno)
