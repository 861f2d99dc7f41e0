-- A condition that is never true leaves a count of 0, not no row.
-- v: match
CREATE VIEW v AS SELECT count(*) AS n FROM emp;
SELECT count(*) AS n FROM emp WHERE 1 = 2
