-- A key of two columns.
-- schema: unique
-- v: match
CREATE VIEW v AS SELECT a, b, x FROM two;
SELECT y FROM two WHERE x > 1
