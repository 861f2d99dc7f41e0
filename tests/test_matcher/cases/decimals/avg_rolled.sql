-- An average of DECIMALs is rounded.
-- v: no AGGREGATE.NOT_DIVISIBLE
CREATE VIEW v AS SELECT deptno, sum(pay) AS s, count(pay) AS n FROM emp GROUP BY deptno;
SELECT avg(pay) AS a FROM emp
