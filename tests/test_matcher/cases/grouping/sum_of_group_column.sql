-- SUM of a grouping column, from COUNT(*).
-- v: match
CREATE VIEW v AS SELECT deptno, comm, count(*) AS n FROM emp GROUP BY deptno, comm;
SELECT deptno, sum(comm) AS n, avg(comm) AS m FROM emp GROUP BY deptno
