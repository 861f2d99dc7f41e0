-- The same function of a date.
-- v: match
CREATE VIEW v AS SELECT ename, hired, sal FROM emp WHERE year(hired) = 2024;
SELECT ename FROM emp WHERE year(hired) = 2024 AND sal > 2
