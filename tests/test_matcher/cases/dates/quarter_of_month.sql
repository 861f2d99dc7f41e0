-- April is not in the first quarter.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE quarter(hired) = 1;
SELECT ename FROM emp WHERE month(hired) <= 4
