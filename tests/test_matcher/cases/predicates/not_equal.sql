-- A range without a point is not the range.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal <> 3;
SELECT ename FROM emp WHERE sal > 1
