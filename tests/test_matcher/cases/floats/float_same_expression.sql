-- The same computation is the same value.
-- v: match
CREATE VIEW v AS SELECT ename, rate FROM emp WHERE rate * 2 > 3.0;
SELECT ename FROM emp WHERE rate * 2 > 3.0 AND rate < 100.0
