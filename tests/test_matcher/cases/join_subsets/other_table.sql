-- No table in common.
-- v: no TABLES.DIFFERENT
CREATE VIEW v AS SELECT dname FROM dept;
SELECT item FROM sale
