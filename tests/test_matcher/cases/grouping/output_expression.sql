-- An expression over aggregates.
-- v: match
CREATE VIEW v AS SELECT deptno, sum(sal) AS s, count(*) AS n FROM emp GROUP BY deptno;
SELECT deptno, sum(sal) * 2 + count(*) AS x FROM emp GROUP BY deptno
