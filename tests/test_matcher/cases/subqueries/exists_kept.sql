-- An EXISTS that the view does not test needs its columns.
-- v: match
CREATE VIEW v AS SELECT ename, empno, sal FROM emp WHERE sal > 1;
SELECT ename FROM emp e WHERE sal > 2 AND EXISTS (SELECT 1 FROM bonus b WHERE b.empno = e.empno)
