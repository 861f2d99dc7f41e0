-- USING is an equation.
-- v: match
CREATE VIEW v AS SELECT ename, dname, deptno FROM emp JOIN dept USING (deptno);
SELECT e.ename FROM emp e JOIN dept d ON d.deptno = e.deptno WHERE e.deptno > 1
