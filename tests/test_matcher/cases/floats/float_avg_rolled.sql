-- An average of doubles.
-- v: no AGGREGATE.FLOAT
CREATE VIEW v AS SELECT deptno, active, sum(rate) AS s, count(rate) AS n FROM emp GROUP BY deptno, active;
SELECT deptno, avg(rate) AS s FROM emp GROUP BY deptno
