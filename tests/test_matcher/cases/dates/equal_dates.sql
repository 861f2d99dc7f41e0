-- One day.
-- v: match
CREATE VIEW v AS SELECT ename, hired, sal FROM emp WHERE hired = DATE '2024-07-01';
SELECT sal, hired FROM emp WHERE hired = DATE '2024-07-01' AND sal > 1
