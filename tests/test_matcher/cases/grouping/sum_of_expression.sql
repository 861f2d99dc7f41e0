-- The sum of the same expression.
-- v: match
CREATE VIEW v AS SELECT deptno, active, sum(sal + comm) AS s FROM emp GROUP BY deptno, active;
SELECT deptno, sum(comm + sal) AS s FROM emp GROUP BY deptno
