-- A DECIMAL or a number in its place.
-- schema: types
-- v: match
CREATE VIEW v AS SELECT id, m FROM x WHERE coalesce(m, 0) > 1;
SELECT id FROM x WHERE m > 1.5
