-- 0.5 is the same in all types.
-- schema: types
-- v: match
CREATE VIEW v AS SELECT id, f FROM x WHERE f > CAST(0.5 AS FLOAT);
SELECT id FROM x WHERE f > 0.5
