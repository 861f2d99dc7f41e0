-- One number cannot be filtered.
-- v: no GROUPING.FINER
CREATE VIEW v AS SELECT count(*) AS n FROM emp;
SELECT count(*) AS n FROM emp WHERE sal > 3
