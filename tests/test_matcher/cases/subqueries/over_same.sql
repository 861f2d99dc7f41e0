-- The same OVER expression.
-- v: match
CREATE VIEW v AS SELECT empno, sal, rank() OVER (PARTITION BY deptno ORDER BY sal) AS r FROM emp;
SELECT empno, r FROM (SELECT empno, rank() OVER (PARTITION BY deptno ORDER BY sal) AS r FROM emp) q WHERE r = 1
