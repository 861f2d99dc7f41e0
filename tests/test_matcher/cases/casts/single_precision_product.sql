-- FLOAT times FLOAT is rounded to a FLOAT.
-- schema: types
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT id FROM x WHERE f * f > 2;
SELECT id FROM x WHERE f = d AND d * d > 2
