-- March of other years is missing.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE hired >= DATE '2024-03-01' AND hired < DATE '2024-04-01';
SELECT ename FROM emp WHERE month(hired) = 3
