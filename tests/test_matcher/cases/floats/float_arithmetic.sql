-- Doubles are not real numbers: a + 1 > a need not hold.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, rate FROM emp WHERE rate + 1 > rate;
SELECT ename FROM emp WHERE rate > 0.0
