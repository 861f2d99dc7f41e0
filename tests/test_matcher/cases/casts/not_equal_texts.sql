-- <> is the negation of = whatever is compared.
-- schema: types
-- v: match
CREATE VIEW v AS SELECT id, s, code FROM x WHERE NOT (concat(s, 'a') = code);
SELECT id FROM x WHERE concat(s, 'a') <> code
