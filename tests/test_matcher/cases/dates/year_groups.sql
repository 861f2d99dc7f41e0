-- Groups by the year, from groups by the day.
-- v: match
CREATE VIEW v AS SELECT hired, count(*) AS n FROM emp GROUP BY hired;
SELECT year(hired) AS y, count(*) AS n FROM emp GROUP BY year(hired)
