-- NaN = NaN, so only NULL is not equal to itself.
-- v: match
CREATE VIEW v AS SELECT ename, rate FROM emp WHERE rate = rate;
SELECT ename FROM emp WHERE rate IS NOT NULL
