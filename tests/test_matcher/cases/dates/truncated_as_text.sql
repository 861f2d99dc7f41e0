-- DATE_TRUNC is a TIMESTAMP: as a text it is longer.
-- v: unknown
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE CAST(hired AS STRING) = '2024-02-01';
SELECT ename FROM emp WHERE date_trunc('MONTH', hired) = hired AND CAST(date_trunc('MONTH', hired) AS STRING) = '2024-02-01'
