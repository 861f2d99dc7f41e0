-- The 15th of January is after the 9th of a month.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE day(hired) > 9;
SELECT ename FROM emp WHERE hired = DATE '2024-01-15'
