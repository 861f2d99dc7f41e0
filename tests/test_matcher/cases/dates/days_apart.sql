-- A number of days between dates is their difference.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE datediff(hired, DATE '2024-01-01') >= 10;
SELECT ename FROM emp WHERE hired > DATE '2024-01-10'
