-- Where it is not NULL it finds its row, but UNIQUE alone is no key.
-- schema: unique
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT code, size FROM part;
SELECT color FROM part WHERE size > 1
