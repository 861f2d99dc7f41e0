-- The same IN.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE empno IN (SELECT empno FROM bonus);
SELECT ename FROM emp WHERE empno IN (SELECT empno FROM bonus) AND sal > 1
