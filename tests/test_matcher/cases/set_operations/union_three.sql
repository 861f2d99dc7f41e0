-- Another number of branches.
-- v: no SHAPE.DIFFERENT
CREATE VIEW v AS SELECT deptno FROM emp UNION ALL SELECT deptno FROM dept;
SELECT deptno FROM emp UNION ALL SELECT deptno FROM dept UNION ALL SELECT deptno FROM sale
