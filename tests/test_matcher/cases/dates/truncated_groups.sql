-- Days rolled up to months.
-- v: match
CREATE VIEW v AS SELECT hired, count(*) AS n FROM emp GROUP BY hired;
SELECT date_trunc('MONTH', hired) AS month, count(*) AS n FROM emp GROUP BY date_trunc('MONTH', hired)
