-- The subquery itself is answered from the view.
-- v: match part
CREATE VIEW v AS SELECT empno, amount FROM bonus WHERE amount > 1;
SELECT ename FROM emp e WHERE EXISTS (SELECT 1 FROM bonus b WHERE b.empno = e.empno AND b.amount > 3)
