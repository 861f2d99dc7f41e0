-- The same join.
-- v: match
CREATE VIEW v AS SELECT e.ename, d.dname, e.sal FROM emp e JOIN dept d ON e.deptno = d.deptno;
SELECT e.ename, d.dname FROM emp e, dept d WHERE d.deptno = e.deptno AND e.sal > 3
