-- After the 31st is from the 1st on.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE hired > DATE '2023-12-31';
SELECT ename FROM emp WHERE hired >= DATE '2024-01-01'
