-- COALESCE over columns that are there.
-- v: match
CREATE VIEW v AS SELECT sal, comm FROM emp;
SELECT coalesce(sal, comm, 0) AS x FROM emp
