-- A reference of two columns.
-- schema: unique
-- v: match
CREATE VIEW v AS SELECT r.z, t.y FROM ref r JOIN two t ON r.a = t.a AND r.b = t.b;
SELECT z FROM ref
