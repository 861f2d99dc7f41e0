-- isnan is one value.
-- v: match
CREATE VIEW v AS SELECT ename, rate FROM emp WHERE rate > 5.0;
SELECT ename FROM emp WHERE isnan(rate)
