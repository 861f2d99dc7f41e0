-- COUNT DISTINCT cannot be added up.
-- v: no AGGREGATE.NOT_DIVISIBLE
CREATE VIEW v AS SELECT deptno, active, count(DISTINCT sal) AS n FROM emp GROUP BY deptno, active;
SELECT deptno, count(DISTINCT sal) AS n FROM emp GROUP BY deptno
