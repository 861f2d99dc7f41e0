-- NaN is above every number.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, rate FROM emp WHERE rate < 1000000.0;
SELECT ename FROM emp WHERE rate > 1.0
