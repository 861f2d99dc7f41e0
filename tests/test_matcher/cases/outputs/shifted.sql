-- deptno + 10 from deptno - 10.
-- v: match
CREATE VIEW v AS SELECT deptno - 10 AS d FROM emp;
SELECT deptno + 10 AS d FROM emp
