-- 7 / 2 is 3.5 and 7 DIV 2 is 3.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT comm DIV 2 AS h FROM emp;
SELECT comm / 2 AS h FROM emp
