-- Every employee has a department, so LEFT changes nothing.
-- v: match
CREATE VIEW v AS SELECT e.ename, d.dname FROM emp e JOIN dept d ON e.deptno = d.deptno;
SELECT e.ename, d.dname FROM emp e LEFT JOIN dept d ON e.deptno = d.deptno
