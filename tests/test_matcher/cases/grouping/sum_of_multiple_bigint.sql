-- Twice a sum of BIGINTs may need more digits than what is left of it.
-- schema: types
-- v: match
CREATE VIEW v AS SELECT i, s, sum(b) AS total, count(b) AS n FROM x GROUP BY i, s;
SELECT i, sum(4 - 2 * b) AS m FROM x GROUP BY i
