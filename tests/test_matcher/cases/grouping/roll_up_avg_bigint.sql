-- AVG adds up doubles and has no bound; a sum of sums of BIGINTs is given more digits.
-- schema: types
-- v: match
CREATE VIEW v AS SELECT i, s, sum(b) AS total, count(b) AS n FROM x GROUP BY i, s;
SELECT i, avg(b) AS m FROM x GROUP BY i
