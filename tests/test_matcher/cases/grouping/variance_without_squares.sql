-- The squares are missing.
-- v: no AGGREGATE.MISSING
CREATE VIEW v AS SELECT deptno, active, count(sal) AS n, sum(sal) AS s FROM emp GROUP BY deptno, active;
SELECT deptno, var_pop(sal) AS v FROM emp GROUP BY deptno
