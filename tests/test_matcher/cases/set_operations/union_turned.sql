-- The branches in another order.
-- v: match
CREATE VIEW v AS SELECT ename AS n, deptno FROM emp UNION ALL SELECT dname, deptno FROM dept;
SELECT dname, deptno FROM dept UNION ALL SELECT ename, deptno FROM emp
