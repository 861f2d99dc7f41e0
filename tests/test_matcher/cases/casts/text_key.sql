-- '1' and '01' are both equal to 1, so a number may find several texts of a key.
-- schema: types
-- v: no TABLES.EXTRA
CREATE VIEW v AS SELECT x.id, x.i, named.i AS j FROM x LEFT JOIN named ON x.i = named.name;
SELECT id FROM x
