-- A month inside a year.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE hired BETWEEN DATE '2024-01-01' AND DATE '2024-12-31';
SELECT ename FROM emp WHERE hired BETWEEN DATE '2024-02-01' AND DATE '2024-02-29'
