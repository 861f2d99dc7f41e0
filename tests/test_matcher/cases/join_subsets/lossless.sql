-- A reference finds exactly one department.
-- v: match
CREATE VIEW v AS SELECT e.ename, e.sal, d.dname FROM emp e JOIN dept d ON e.deptno = d.deptno;
SELECT ename FROM emp WHERE sal > 3
