-- Which of two equal rows comes first is not fixed.
-- v: no NONDETERMINISTIC
CREATE VIEW v AS SELECT empno, row_number() OVER (PARTITION BY deptno ORDER BY sal) AS r FROM emp;
SELECT empno, row_number() OVER (PARTITION BY deptno ORDER BY sal) AS r FROM emp
