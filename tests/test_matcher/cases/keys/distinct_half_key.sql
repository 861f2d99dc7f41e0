-- DISTINCT over half a key does.
-- schema: unique
-- v: no GROUPING.MISSING_ROWS
CREATE VIEW v AS SELECT DISTINCT a, x FROM two;
SELECT a, x FROM two
