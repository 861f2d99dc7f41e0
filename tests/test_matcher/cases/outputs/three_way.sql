-- A difference of two sums, as long as the summand between them is there.
-- v: match
CREATE VIEW v AS SELECT empno + deptno AS a, deptno + sal AS b FROM emp;
SELECT empno - sal AS d FROM emp
