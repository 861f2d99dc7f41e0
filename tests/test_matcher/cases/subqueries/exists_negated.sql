-- NOT EXISTS is the opposite.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp e WHERE EXISTS (SELECT 1 FROM bonus b WHERE b.empno = e.empno);
SELECT ename FROM emp e WHERE NOT EXISTS (SELECT 1 FROM bonus b WHERE b.empno = e.empno)
