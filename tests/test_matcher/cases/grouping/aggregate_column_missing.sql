-- The argument is not kept.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT deptno, sal FROM emp;
SELECT deptno, sum(comm) AS s FROM emp GROUP BY deptno
