-- Without a key the row cannot be found again.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT item, qty FROM sale WHERE qty > 1;
SELECT price FROM sale WHERE qty > 3
