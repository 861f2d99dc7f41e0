-- A string next to a date is read as one.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE hired >= DATE '2024-01-01';
SELECT ename FROM emp WHERE hired > '2024-06-01'
