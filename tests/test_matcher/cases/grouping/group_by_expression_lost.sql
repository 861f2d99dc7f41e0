-- The column cannot be told from the expression.
-- v: no GROUPING.FINER
CREATE VIEW v AS SELECT sal % 2 AS parity, count(*) AS n FROM emp GROUP BY sal % 2;
SELECT sal, count(*) AS n FROM emp GROUP BY sal
