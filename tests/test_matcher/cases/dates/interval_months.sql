-- A year from its beginning, and a month in it.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE hired >= DATE '2024-01-01' AND hired < DATE '2024-01-01' + INTERVAL '1' YEAR;
SELECT ename FROM emp WHERE hired >= DATE '2024-03-01' AND hired < DATE '2024-03-01' + INTERVAL 1 MONTH
