-- February 2024 is in the year 2024.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE year(hired) = 2024;
SELECT ename FROM emp WHERE hired BETWEEN DATE '2024-02-01' AND DATE '2024-02-29'
