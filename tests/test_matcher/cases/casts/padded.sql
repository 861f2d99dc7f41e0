-- A comparison with CHAR ignores what it is padded with, LIKE does not.
-- schema: types
-- v: unknown
CREATE VIEW v AS SELECT id FROM x WHERE code LIKE 'a';
SELECT id FROM x WHERE code = 'a'
