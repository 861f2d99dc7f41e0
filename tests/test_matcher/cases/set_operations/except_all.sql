-- EXCEPT ALL is another operation.
-- v: no SHAPE.DIFFERENT
CREATE VIEW v AS SELECT deptno FROM sale EXCEPT SELECT deptno FROM emp;
SELECT deptno FROM sale EXCEPT ALL SELECT deptno FROM emp
