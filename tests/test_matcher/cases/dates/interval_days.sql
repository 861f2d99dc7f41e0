-- A date and an interval of days.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE hired >= DATE '2024-01-01';
SELECT ename FROM emp WHERE hired > DATE '2024-01-01' + INTERVAL 3 DAYS
