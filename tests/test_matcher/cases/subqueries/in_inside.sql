-- The subquery of IN is answered from the view.
-- v: match part
CREATE VIEW v AS SELECT empno, amount FROM bonus;
SELECT ename FROM emp WHERE empno IN (SELECT empno FROM bonus WHERE amount > 2)
