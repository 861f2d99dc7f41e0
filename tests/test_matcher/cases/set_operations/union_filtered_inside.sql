-- The same filter in every branch.
-- v: match
CREATE VIEW v AS SELECT ename AS n, deptno FROM emp UNION ALL SELECT dname, deptno FROM dept;
SELECT ename AS n, deptno FROM emp WHERE deptno > 3 UNION ALL SELECT dname, deptno FROM dept WHERE deptno > 3
