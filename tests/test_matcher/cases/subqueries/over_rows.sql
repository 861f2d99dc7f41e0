-- The rows under OVER.
-- v: match part
CREATE VIEW v AS SELECT empno, sal, deptno FROM emp;
SELECT empno, rank() OVER (ORDER BY sal) AS r FROM emp WHERE deptno > 3
