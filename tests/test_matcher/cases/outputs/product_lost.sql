-- A factor cannot be told from the product.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT sal * comm AS p FROM emp;
SELECT sal FROM emp
