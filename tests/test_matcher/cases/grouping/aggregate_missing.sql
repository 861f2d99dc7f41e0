-- The view has another aggregate.
-- v: no AGGREGATE.MISSING
CREATE VIEW v AS SELECT deptno, max(sal) AS m FROM emp GROUP BY deptno;
SELECT deptno, min(sal) AS m FROM emp GROUP BY deptno
