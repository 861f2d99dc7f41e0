-- How often is lost.
-- v: no AGGREGATE.MISSING
CREATE VIEW v AS SELECT DISTINCT deptno, sal FROM emp;
SELECT deptno, count(*) AS n FROM emp GROUP BY deptno
