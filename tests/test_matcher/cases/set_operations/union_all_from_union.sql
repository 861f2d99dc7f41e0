-- Duplicates are lost.
-- v: no GROUPING.MISSING_ROWS
CREATE VIEW v AS SELECT deptno FROM emp UNION SELECT deptno FROM dept;
SELECT deptno FROM emp UNION ALL SELECT deptno FROM dept
