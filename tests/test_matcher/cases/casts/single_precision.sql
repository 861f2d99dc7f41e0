-- CAST(0.1 AS FLOAT) is more than 0.1.
-- schema: types
-- v: unknown
CREATE VIEW v AS SELECT id, f FROM x WHERE f > CAST(0.1 AS FLOAT);
SELECT id FROM x WHERE f > 0.1
