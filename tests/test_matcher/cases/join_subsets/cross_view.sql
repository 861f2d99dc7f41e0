-- A cross join multiplies rows.
-- v: no TABLES.EXTRA
CREATE VIEW v AS SELECT s.item FROM sale s CROSS JOIN bonus b;
SELECT item FROM sale
