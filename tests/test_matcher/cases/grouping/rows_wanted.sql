-- Rows from groups.
-- v: no GROUPING.MISSING_ROWS
CREATE VIEW v AS SELECT deptno, sal, count(*) AS n FROM emp GROUP BY deptno, sal;
SELECT deptno, sal FROM emp
