-- COUNT of a grouping column, from COUNT(*).
-- v: match
CREATE VIEW v AS SELECT deptno, comm, count(*) AS n FROM emp GROUP BY deptno, comm;
SELECT deptno, count(comm) AS n FROM emp GROUP BY deptno
