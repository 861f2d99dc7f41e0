-- A join on half of the reference.
-- schema: unique
-- v: no TABLES.EXTRA
CREATE VIEW v AS SELECT r.z, t.y FROM ref r JOIN two t ON r.a = t.a;
SELECT z FROM ref
