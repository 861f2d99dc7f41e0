-- Through two references.
-- schema: chain
-- v: match
CREATE VIEW v AS SELECT a.x, b.y, c.z FROM a JOIN b ON a.bid = b.id JOIN c ON b.cid = c.id;
SELECT x FROM a WHERE x > 1
