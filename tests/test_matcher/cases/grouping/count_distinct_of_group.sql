-- COUNT DISTINCT of a grouping column.
-- v: match
CREATE VIEW v AS SELECT deptno, comm, count(*) AS n FROM emp GROUP BY deptno, comm;
SELECT deptno, count(DISTINCT comm) AS n FROM emp GROUP BY deptno
