-- The first day of a month says in which month a date is.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE hired BETWEEN '2024-02-01' AND '2024-02-29';
SELECT ename FROM emp WHERE trunc(hired, 'MONTH') = DATE '2024-02-01'
