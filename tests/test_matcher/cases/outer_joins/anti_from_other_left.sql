-- Partners of another kind.
-- v: no TABLES.EXTRA
CREATE VIEW v AS SELECT d.dname, e.empno FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno AND e.sal > 3;
SELECT d.dname FROM dept d WHERE NOT EXISTS (SELECT 1 FROM emp e WHERE e.deptno = d.deptno)
