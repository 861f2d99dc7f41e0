-- The filter needs a column that the view does not keep.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT ename FROM emp WHERE sal > 3;
SELECT ename FROM emp WHERE sal > 5
