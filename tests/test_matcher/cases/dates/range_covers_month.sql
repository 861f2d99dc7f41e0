-- A month of a year is a range of days.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE hired >= DATE '2024-03-01' AND hired < DATE '2024-04-01';
SELECT ename FROM emp WHERE year(hired) = 2024 AND month(hired) = 3
