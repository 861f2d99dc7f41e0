-- A partner may have a NULL there.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT deptno, dname FROM dept d WHERE NOT EXISTS (SELECT 1 FROM emp e WHERE e.deptno = d.deptno);
SELECT d.dname FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno WHERE e.sal IS NULL
