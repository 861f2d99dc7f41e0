-- The last day of 2024 is not in a later year.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE year(hired) >= 2025;
SELECT ename FROM emp WHERE hired >= DATE '2024-12-31'
