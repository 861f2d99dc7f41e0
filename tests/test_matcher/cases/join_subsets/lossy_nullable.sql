-- A reference that may be NULL loses rows.
-- schema: chain
-- v: no TABLES.EXTRA
CREATE VIEW v AS SELECT a.x, c.z FROM a JOIN c ON a.cid = c.id;
SELECT x FROM a
