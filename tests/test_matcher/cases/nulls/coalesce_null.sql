-- COALESCE tells NULL from 0 no more.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT coalesce(comm, 0) AS c FROM emp;
SELECT comm FROM emp
