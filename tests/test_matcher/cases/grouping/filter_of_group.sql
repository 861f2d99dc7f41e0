-- FILTER on a grouping column.
-- v: match
CREATE VIEW v AS SELECT deptno, active, count(*) AS n FROM emp GROUP BY deptno, active;
SELECT deptno, count(CASE WHEN active THEN 1 END) AS n FROM emp GROUP BY deptno
