-- A further join condition is a filter.
-- v: match
CREATE VIEW v AS SELECT e.ename, s.item, e.deptno AS d1, s.deptno AS d2 FROM emp e JOIN sale s ON e.empno = s.empno;
SELECT e.ename, s.item FROM emp e JOIN sale s ON e.empno = s.empno AND e.deptno = s.deptno
