-- COUNT of a column that may be NULL.
-- v: match
CREATE VIEW v AS SELECT deptno, active, count(sal) AS n FROM emp GROUP BY deptno, active;
SELECT deptno, count(sal) AS n FROM emp GROUP BY deptno
