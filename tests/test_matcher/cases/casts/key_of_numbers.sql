-- One double is equal to several BIGINTs, so it does not say which.
-- schema: types
-- v: no GROUPING.MISSING_ROWS
CREATE VIEW v AS SELECT DISTINCT measured.size, numbered.i FROM measured JOIN numbered ON size = number;
SELECT measured.size, numbered.i FROM measured JOIN numbered ON size = number
