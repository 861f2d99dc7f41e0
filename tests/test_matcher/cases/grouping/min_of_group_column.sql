-- MIN of a grouping column needs no aggregate.
-- v: match
CREATE VIEW v AS SELECT deptno, comm FROM emp GROUP BY deptno, comm;
SELECT deptno, min(comm) AS lo FROM emp GROUP BY deptno
