-- Half a key.
-- schema: unique
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT a, x FROM two;
SELECT y FROM two WHERE x > 1
