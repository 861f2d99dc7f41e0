-- The same full join.
-- v: match
CREATE VIEW v AS SELECT e.empno AS a, e.ename, b.empno AS b, b.amount FROM emp e FULL JOIN bonus b ON e.empno = b.empno;
SELECT e.empno AS a, e.ename, b.empno AS b, b.amount FROM emp e FULL JOIN bonus b ON e.empno = b.empno
