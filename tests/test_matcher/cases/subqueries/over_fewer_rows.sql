-- A filter below changes the ranks.
-- v: no SHAPE.DIFFERENT
CREATE VIEW v AS SELECT empno, sal, rank() OVER (ORDER BY sal) AS r FROM emp;
SELECT empno, rank() OVER (ORDER BY sal) AS r FROM emp WHERE deptno > 3
