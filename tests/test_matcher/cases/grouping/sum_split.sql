-- A sum of sums is not the sum of what may be NULL.
-- v: no AGGREGATE.MISSING
CREATE VIEW v AS SELECT deptno, sum(sal) AS s, sum(comm) AS c FROM emp GROUP BY deptno;
SELECT deptno, sum(sal + comm) AS s FROM emp GROUP BY deptno
