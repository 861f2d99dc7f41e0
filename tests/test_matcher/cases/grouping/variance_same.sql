-- The same groups.
-- v: match
CREATE VIEW v AS SELECT deptno, stddev(sal) AS v FROM emp GROUP BY deptno;
SELECT deptno, stddev(sal) AS w FROM emp GROUP BY deptno
