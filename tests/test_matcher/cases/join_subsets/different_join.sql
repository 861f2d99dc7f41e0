-- Another join condition.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT e.ename, s.item FROM emp e JOIN sale s ON e.empno = s.empno;
SELECT e.ename, s.item FROM emp e JOIN sale s ON e.deptno = s.deptno
