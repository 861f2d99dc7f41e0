-- A spread of BIGINTs from parts that are added up as DECIMALs.
-- schema: types
-- v: match
CREATE VIEW v AS SELECT i, s, sum(b) AS total, sum(b * b) AS squares, count(b) AS n FROM x GROUP BY i, s;
SELECT i, var_pop(b) AS spread FROM x GROUP BY i
