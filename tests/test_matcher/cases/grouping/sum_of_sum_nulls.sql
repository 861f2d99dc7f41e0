-- A NULL in one takes the other with it.
-- v: no AGGREGATE.MISSING
CREATE VIEW v AS SELECT deptno, sum(sal) AS s, sum(comm) AS c FROM emp GROUP BY deptno;
SELECT deptno, sum(sal + comm) AS t FROM emp GROUP BY deptno
