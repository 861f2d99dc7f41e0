-- SUM(x + y) is SUM(x) + SUM(y) where neither is NULL.
-- v: match
CREATE VIEW v AS SELECT deptno, sum(sal) AS s, sum(comm) AS c FROM emp WHERE sal > 0 AND comm > 0 GROUP BY deptno;
SELECT sum(sal + comm) AS t FROM emp WHERE sal > 0 AND comm > 0
