-- A count over nothing is 0.
-- v: match
CREATE VIEW v AS SELECT deptno, count(*) AS n, count(sal) AS c FROM emp GROUP BY deptno;
SELECT count(*) AS n, count(sal) AS c FROM emp WHERE deptno = 99
