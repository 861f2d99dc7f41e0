-- DISTINCT over a key changes nothing.
-- schema: unique
-- v: match
CREATE VIEW v AS SELECT DISTINCT a, b, x FROM two;
SELECT a, x FROM two
