-- The same days, added here and taken off there.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE hired > DATE '2024-01-04';
SELECT ename FROM emp WHERE date_sub(hired, 3) > DATE '2024-01-01'
