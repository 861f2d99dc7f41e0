-- Earlier dates are missing.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE hired >= DATE '2024-01-01';
SELECT ename FROM emp WHERE hired >= DATE '2023-12-31'
