-- 0.0 = -0.0, and as texts they differ.
-- schema: types
-- v: unknown
CREATE VIEW v AS SELECT id, d FROM x WHERE CAST(d AS STRING) = '0.0';
SELECT id FROM x WHERE d = e AND CAST(e AS STRING) = '0.0'
