-- A full join has more rows than a left join.
-- v: no SHAPE.DIFFERENT
CREATE VIEW v AS SELECT e.empno AS a, e.ename, b.empno AS b, b.amount FROM emp e FULL JOIN bonus b ON e.empno = b.empno;
SELECT e.ename, b.amount FROM emp e LEFT JOIN bonus b ON e.empno = b.empno
