-- sal / 2 is not a whole number.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal DIV 2 = 1;
SELECT ename FROM emp WHERE sal / 2 > 1.0
