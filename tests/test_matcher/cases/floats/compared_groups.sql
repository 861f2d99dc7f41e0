-- Comparisons do not tell zeros apart.
-- v: match
CREATE VIEW v AS SELECT rate, count(*) AS n FROM emp GROUP BY rate;
SELECT rate, n FROM (SELECT rate, count(*) AS n FROM emp GROUP BY rate) q WHERE rate * 2 > 1
