-- A month after the 31st of January is the 29th of February.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE hired < DATE '2024-01-31' + INTERVAL 1 MONTH;
SELECT ename FROM emp WHERE hired <= DATE '2024-02-29'
