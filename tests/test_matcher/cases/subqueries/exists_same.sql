-- The same EXISTS.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp e WHERE EXISTS (SELECT 1 FROM bonus b WHERE b.empno = e.empno);
SELECT ename FROM emp x WHERE EXISTS (SELECT amount FROM bonus y WHERE x.empno = y.empno) AND sal > 2
