-- Another CASE of a column that is not kept.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT CASE WHEN sal > 3 THEN 'high' ELSE 'low' END AS level FROM emp;
SELECT CASE WHEN sal > 4 THEN 'high' ELSE 'low' END AS l FROM emp
