-- Variance of integers from COUNT, SUM and SUM of squares, up to rounding.
-- v: match
CREATE VIEW v AS SELECT deptno, active, count(sal) AS n, sum(sal) AS s, sum(sal * sal) AS q FROM emp GROUP BY deptno, active;
SELECT deptno, var_pop(sal) AS v, stddev_samp(sal) AS d FROM emp GROUP BY deptno
