-- The query wants only rows whose reference is there.
-- schema: chain
-- v: match
CREATE VIEW v AS SELECT a.x, a.cid, c.z FROM a JOIN c ON a.cid = c.id;
SELECT x FROM a WHERE cid > 0
