-- Grouping by a column that is shifted.
-- v: match
CREATE VIEW v AS SELECT deptno + 1 AS d, count(*) AS n FROM emp GROUP BY deptno + 1;
SELECT deptno, count(*) AS n FROM emp GROUP BY deptno
