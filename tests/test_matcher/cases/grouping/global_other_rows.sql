-- One number cannot be filtered.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT count(*) AS n FROM emp WHERE sal > 3;
SELECT count(*) AS n FROM emp
