-- Divisible by four is divisible by two.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal % 2 = 0;
SELECT ename FROM emp WHERE sal % 4 = 0
