-- The single value is answered from the view.
-- v: match part
CREATE VIEW v AS SELECT empno, max(amount) AS m FROM bonus GROUP BY empno;
SELECT ename FROM emp WHERE sal > (SELECT max(amount) FROM bonus)
