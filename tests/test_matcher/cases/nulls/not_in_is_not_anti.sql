-- NOT IN is not NOT EXISTS: a NULL in the subquery keeps nothing.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, empno FROM emp WHERE empno NOT IN (SELECT empno FROM bonus);
SELECT ename FROM emp e WHERE NOT EXISTS (SELECT 1 FROM bonus b WHERE b.empno = e.empno)
