-- Twice a number tells the number, but only by dividing.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT comm * 2 AS twice FROM emp;
SELECT comm FROM emp
