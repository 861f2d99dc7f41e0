-- Dropped groups are missing in the sum.
-- v: no GROUPING.HAVING
CREATE VIEW v AS SELECT deptno, active, count(*) AS n FROM emp GROUP BY deptno, active HAVING count(*) > 1;
SELECT deptno, count(*) AS n FROM emp GROUP BY deptno
