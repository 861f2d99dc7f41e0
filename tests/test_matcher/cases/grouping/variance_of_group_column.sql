-- How often each value is there tells the deviation.
-- v: match
CREATE VIEW v AS SELECT deptno, sal, count(*) AS n FROM emp GROUP BY deptno, sal;
SELECT deptno, stddev(sal) AS d, var_pop(sal) AS v FROM emp GROUP BY deptno
