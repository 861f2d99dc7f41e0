-- COUNT(*) counts rows to which nothing is added.
-- v: no AGGREGATE.MISSING
CREATE VIEW v AS SELECT deptno, sum(sal) AS s, count(*) AS n FROM emp GROUP BY deptno;
SELECT deptno, sum(sal + 1) AS t FROM emp GROUP BY deptno
