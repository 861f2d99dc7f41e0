-- b is (b - c) + (c - d) + d, but (b - c) + (c - d) may be larger than a BIGINT.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT CAST(sal AS BIGINT) - comm AS x, comm - CAST(deptno AS BIGINT) AS y, CAST(deptno AS BIGINT) AS d FROM emp;
SELECT CAST(sal AS BIGINT) AS b FROM emp
