-- All values of an IN list are cast to one type, here to DOUBLE.
-- schema: types
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT id, b FROM x WHERE b = 9007199254740993;
SELECT id FROM x WHERE b IN (9007199254740993, 0.5e0) AND b > 5
