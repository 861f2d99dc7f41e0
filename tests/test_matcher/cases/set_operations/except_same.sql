-- The same EXCEPT.
-- v: match
CREATE VIEW v AS SELECT deptno FROM dept EXCEPT SELECT deptno FROM emp;
SELECT deptno FROM dept EXCEPT SELECT deptno FROM emp
