-- Rows for which the left join finds nothing, from NOT EXISTS.
-- v: match
CREATE VIEW v AS SELECT deptno, dname FROM dept d WHERE NOT EXISTS (SELECT 1 FROM emp e WHERE e.deptno = d.deptno AND e.sal > 3);
SELECT d.dname FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno AND e.sal > 3 WHERE e.empno IS NULL
