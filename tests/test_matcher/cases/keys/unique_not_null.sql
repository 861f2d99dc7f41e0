-- UNIQUE and NOT NULL is a key.
-- schema: unique
-- v: match
CREATE VIEW v AS SELECT serial, size FROM part;
SELECT color FROM part WHERE size > 1
