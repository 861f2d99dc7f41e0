-- Half of it is not enough.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, pay FROM emp WHERE pay * 2 > 10.00;
SELECT ename FROM emp WHERE pay > 4.5
