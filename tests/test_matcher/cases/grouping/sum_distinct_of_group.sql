-- SUM DISTINCT of a grouping column.
-- v: match
CREATE VIEW v AS SELECT deptno, comm, max(sal) AS m FROM emp GROUP BY deptno, comm;
SELECT deptno, sum(DISTINCT comm) AS n FROM emp GROUP BY deptno
