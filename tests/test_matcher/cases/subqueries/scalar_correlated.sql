-- A correlated single value.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp e WHERE sal > (SELECT max(amount) FROM bonus b WHERE b.empno = e.empno);
SELECT ename FROM emp e WHERE sal > (SELECT max(amount) FROM bonus b WHERE b.empno = e.empno)
