-- Days of July, whatever the year.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE month(hired) = 7;
SELECT ename FROM emp WHERE hired > DATE '2024-07-01' AND hired <= DATE '2024-07-31'
