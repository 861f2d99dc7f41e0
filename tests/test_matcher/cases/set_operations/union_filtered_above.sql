-- A filter above the union.
-- v: match
CREATE VIEW v AS SELECT ename AS n, deptno FROM emp UNION ALL SELECT dname, deptno FROM dept;
SELECT n FROM (SELECT ename AS n, deptno FROM emp UNION ALL SELECT dname, deptno FROM dept) q WHERE deptno > 3
