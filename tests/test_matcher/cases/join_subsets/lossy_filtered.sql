-- The view filters the referenced table.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT e.ename, e.sal FROM emp e JOIN dept d ON e.deptno = d.deptno WHERE d.budget > 3;
SELECT ename FROM emp
