-- Dates are ordered.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE hired >= DATE '2024-01-01';
SELECT ename FROM emp WHERE hired > DATE '2024-02-01'
