-- The view groups by the same expression.
-- v: match
CREATE VIEW v AS SELECT sal % 2 AS parity, count(*) AS n FROM emp GROUP BY sal % 2;
SELECT count(*) AS n, sal % 2 AS p FROM emp GROUP BY sal % 2
