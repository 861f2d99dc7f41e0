-- The year of a date that is kept.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp;
SELECT year(hired) AS y FROM emp
