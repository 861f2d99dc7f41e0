-- The same inside a derived table.
-- v: match
CREATE VIEW v AS SELECT n + 1 AS m FROM (SELECT count(*) AS n FROM emp) q;
SELECT n + 1 AS m FROM (SELECT count(*) AS n FROM emp) z WHERE n > 2
