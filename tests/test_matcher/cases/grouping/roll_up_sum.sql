-- SUM from SUM.
-- v: match
CREATE VIEW v AS SELECT deptno, active, sum(sal) AS s FROM emp GROUP BY deptno, active;
SELECT active, sum(sal) AS s FROM emp GROUP BY active
