-- 1.0 = 1.00, and as texts they differ.
-- schema: types
-- v: unknown
CREATE VIEW v AS SELECT id, m FROM x WHERE CAST(m AS STRING) = '1.0';
SELECT id FROM x WHERE m = n AND CAST(n AS STRING) = '1.0'
