-- Duplicates are lost.
-- v: no GROUPING.MISSING_ROWS
CREATE VIEW v AS SELECT DISTINCT item, qty FROM sale;
SELECT item, qty FROM sale
