-- COUNT from COUNT DISTINCT.
-- v: no AGGREGATE.MISSING
CREATE VIEW v AS SELECT deptno, count(DISTINCT sal) AS n FROM emp GROUP BY deptno;
SELECT deptno, count(sal) AS n FROM emp GROUP BY deptno
