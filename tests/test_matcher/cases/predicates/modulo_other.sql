-- Divisible by two is not divisible by four.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal % 4 = 0;
SELECT ename FROM emp WHERE sal % 2 = 0
