-- The correlated column is not kept.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal > 1;
SELECT ename FROM emp e WHERE sal > 2 AND EXISTS (SELECT 1 FROM bonus b WHERE b.empno = e.empno)
