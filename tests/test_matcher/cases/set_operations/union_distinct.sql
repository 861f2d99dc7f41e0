-- UNION makes the rows distinct.
-- v: match
CREATE VIEW v AS SELECT deptno FROM emp UNION ALL SELECT deptno FROM dept;
SELECT deptno FROM emp UNION SELECT deptno FROM dept
