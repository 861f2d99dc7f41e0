-- IN is EXISTS where it is asked to be true.
-- v: match
CREATE VIEW v AS SELECT ename FROM emp e WHERE EXISTS (SELECT 1 FROM bonus b WHERE b.empno = e.empno);
SELECT ename FROM emp WHERE empno IN (SELECT empno FROM bonus)
