-- The other way round.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE date_trunc('MONTH', hired) = DATE '2024-02-01';
SELECT ename FROM emp WHERE hired BETWEEN '2024-02-01' AND '2024-02-29'
