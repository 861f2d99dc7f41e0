-- Constants, once per row.
-- v: match
CREATE VIEW v AS SELECT comm FROM emp WHERE sal > 3;
SELECT 1 AS one FROM emp WHERE sal > 3
