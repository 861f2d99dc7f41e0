-- NOT (rate > 1) does not keep NaN.
-- v: match
CREATE VIEW v AS SELECT ename, rate FROM emp WHERE rate <= 1.0;
SELECT ename FROM emp WHERE NOT (rate > 1.0)
