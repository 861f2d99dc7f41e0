-- The view has dropped groups.
-- v: no GROUPING.HAVING
CREATE VIEW v AS SELECT deptno, count(*) AS n FROM emp GROUP BY deptno HAVING count(*) > 2;
SELECT deptno, count(*) AS n FROM emp GROUP BY deptno
