-- Of 0.0 and -0.0 a group has one, and as texts they differ.
-- v: no GROUPING.FINER
CREATE VIEW v AS SELECT rate, count(*) AS n FROM emp GROUP BY rate;
SELECT CAST(rate AS STRING) AS r, count(*) AS n FROM emp GROUP BY CAST(rate AS STRING)
