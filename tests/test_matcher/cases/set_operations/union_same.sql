-- The same UNION ALL.
-- v: match
CREATE VIEW v AS SELECT ename AS n, deptno FROM emp UNION ALL SELECT dname, deptno FROM dept;
SELECT ename AS n, deptno FROM emp UNION ALL SELECT dname, deptno FROM dept
