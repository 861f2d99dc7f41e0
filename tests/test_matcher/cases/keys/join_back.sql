-- A missing column is found again by the key.
-- v: match
CREATE VIEW v AS SELECT empno, deptno FROM emp WHERE sal > 1;
SELECT ename FROM emp WHERE sal > 3 AND deptno > 2
