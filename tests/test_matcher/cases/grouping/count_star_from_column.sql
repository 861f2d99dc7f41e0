-- Rows with a NULL are not counted.
-- v: no AGGREGATE.MISSING
CREATE VIEW v AS SELECT deptno, active, count(sal) AS n FROM emp GROUP BY deptno, active;
SELECT deptno, count(*) AS n FROM emp GROUP BY deptno
