-- An integer quotient does not tell its number.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT comm DIV 2 AS h FROM emp;
SELECT comm FROM emp
