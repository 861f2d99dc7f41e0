-- A difference cannot be turned round.
-- v: no SHAPE.DIFFERENT
CREATE VIEW v AS SELECT deptno FROM dept EXCEPT SELECT deptno FROM emp;
SELECT deptno FROM emp EXCEPT SELECT deptno FROM dept
