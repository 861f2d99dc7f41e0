-- COUNT(*) counts rows without a salary.
-- v: no AGGREGATE.MISSING
CREATE VIEW v AS SELECT deptno, active, sum(sal) AS s, count(*) AS n FROM emp GROUP BY deptno, active;
SELECT deptno, avg(sal) AS m FROM emp GROUP BY deptno
