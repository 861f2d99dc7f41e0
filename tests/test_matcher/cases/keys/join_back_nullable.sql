-- A UNIQUE column may be NULL, and NULL finds nothing.
-- schema: unique
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT code, size FROM part;
SELECT color FROM part
