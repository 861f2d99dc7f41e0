-- Two of three tables.
-- v: match
CREATE VIEW v AS SELECT e.ename, e.empno, d.dname FROM emp e JOIN dept d ON e.deptno = d.deptno;
SELECT e.ename, d.dname, s.item FROM emp e JOIN dept d ON e.deptno = d.deptno JOIN sale s ON s.empno = e.empno
