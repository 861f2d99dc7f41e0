-- A sum of doubles depends on how it is grouped.
-- v: no AGGREGATE.FLOAT
CREATE VIEW v AS SELECT deptno, active, sum(rate) AS s FROM emp GROUP BY deptno, active;
SELECT deptno, sum(rate) AS s FROM emp GROUP BY deptno
