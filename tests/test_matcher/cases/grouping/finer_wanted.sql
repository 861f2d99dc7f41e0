-- Finer groups than the view has.
-- v: no GROUPING.FINER
CREATE VIEW v AS SELECT deptno, count(*) AS n FROM emp GROUP BY deptno;
SELECT deptno, active, count(*) AS n FROM emp GROUP BY deptno, active
