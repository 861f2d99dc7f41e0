-- A quarter in a year.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE date_trunc('YEAR', hired) = '2024-01-01';
SELECT ename FROM emp WHERE date_trunc('QUARTER', hired) = '2024-04-01'
