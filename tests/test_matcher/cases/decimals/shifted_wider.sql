-- A cent too few.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, pay FROM emp WHERE pay > 10.50;
SELECT ename FROM emp WHERE pay + 0.01 > 10.50
