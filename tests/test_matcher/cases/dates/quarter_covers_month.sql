-- February is in the first quarter.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE quarter(hired) = 1;
SELECT ename FROM emp WHERE month(hired) = 2
