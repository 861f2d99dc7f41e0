-- The second view has dropped groups.
-- v: match
-- w: no GROUPING.HAVING
CREATE VIEW v AS SELECT deptno, count(*) AS n FROM emp GROUP BY deptno;
CREATE VIEW w AS SELECT deptno, n FROM v WHERE n > 2;
SELECT deptno FROM emp GROUP BY deptno HAVING count(*) > 1
