-- The day cannot be told from the year.
-- v: no GROUPING.FINER
CREATE VIEW v AS SELECT year(hired) AS y, count(*) AS n FROM emp GROUP BY year(hired);
SELECT hired, count(*) AS n FROM emp GROUP BY hired
