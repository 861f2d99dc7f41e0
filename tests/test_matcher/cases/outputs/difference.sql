-- A column from a sum and the other summand, neither of them NULL.
-- v: match
CREATE VIEW v AS SELECT empno + deptno AS total, deptno FROM emp;
SELECT empno FROM emp
