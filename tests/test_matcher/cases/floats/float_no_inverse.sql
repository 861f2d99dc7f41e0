-- rate + 1 does not tell rate.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT rate + 1 AS r FROM emp;
SELECT rate FROM emp
