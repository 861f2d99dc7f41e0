-- Twice a decimal, with two digits behind the point.
-- v: match
CREATE VIEW v AS SELECT ename, pay FROM emp WHERE pay * 2 > 10.00;
SELECT ename FROM emp WHERE pay > 5.5
