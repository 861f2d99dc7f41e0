-- The year of a date, as a column of the view and in the query.
-- v: match
CREATE VIEW v AS SELECT year(day) AS y, sum(qty) AS q, item FROM sale GROUP BY year(day), item;
SELECT year(day) AS y, sum(qty) AS q FROM sale GROUP BY year(day)
