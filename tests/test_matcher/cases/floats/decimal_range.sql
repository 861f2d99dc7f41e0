-- Decimals are compared exactly.
-- v: match
CREATE VIEW v AS SELECT ename, pay FROM emp WHERE pay > 1.25;
SELECT ename FROM emp WHERE pay > 2
