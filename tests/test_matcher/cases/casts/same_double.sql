-- Two doubles that are equal and not 0 are the same.
-- schema: types
-- v: match
CREATE VIEW v AS SELECT id, d, e FROM x WHERE CAST(d AS STRING) = '1.5' AND d > 1;
SELECT id FROM x WHERE d = e AND CAST(e AS STRING) = '1.5' AND d > 1
