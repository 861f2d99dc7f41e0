-- A side of the difference.
-- v: match part
CREATE VIEW v AS SELECT deptno, sal FROM emp WHERE sal > 1;
SELECT deptno FROM dept EXCEPT SELECT deptno FROM emp WHERE sal > 3
