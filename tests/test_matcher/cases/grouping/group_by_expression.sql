-- Grouping by an expression of the view's columns.
-- v: match
CREATE VIEW v AS SELECT sal, count(*) AS n FROM emp GROUP BY sal;
SELECT sal % 2 AS parity, count(*) AS n FROM emp GROUP BY sal % 2
