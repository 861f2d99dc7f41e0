-- The year 2024 is after 2023.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE hired >= DATE '2024-01-01';
SELECT ename FROM emp WHERE year(hired) = 2024
