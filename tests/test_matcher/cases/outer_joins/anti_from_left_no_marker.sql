-- The view does not tell whether there was a partner.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT d.dname, e.sal FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno;
SELECT d.dname FROM dept d WHERE NOT EXISTS (SELECT 1 FROM emp e WHERE e.deptno = d.deptno)
