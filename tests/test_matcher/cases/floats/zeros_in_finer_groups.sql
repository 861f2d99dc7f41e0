-- One group by the number may be two by its text.
-- v: match
CREATE VIEW v AS SELECT rate, CAST(rate AS STRING) AS r, count(*) AS n FROM emp GROUP BY rate, CAST(rate AS STRING);
SELECT rate, count(*) AS n FROM emp GROUP BY rate
