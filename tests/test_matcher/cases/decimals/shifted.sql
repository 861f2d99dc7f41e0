-- Decimals are added exactly.
-- v: match
CREATE VIEW v AS SELECT ename, pay FROM emp WHERE pay > 10.50;
SELECT ename FROM emp WHERE pay - 0.50 > 10.25
