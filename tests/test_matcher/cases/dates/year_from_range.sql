-- Later years are missing.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE year(hired) = 2024;
SELECT ename FROM emp WHERE hired > DATE '2024-05-05'
