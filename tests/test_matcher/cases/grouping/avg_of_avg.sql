-- An average of averages is not the average.
-- v: no AGGREGATE.MISSING
CREATE VIEW v AS SELECT deptno, active, avg(sal) AS m FROM emp GROUP BY deptno, active;
SELECT deptno, avg(sal) AS m FROM emp GROUP BY deptno
