-- ADD_MONTHS of a constant.
-- v: match
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE hired < add_months(DATE '2024-01-31', 1);
SELECT ename FROM emp WHERE hired < DATE '2024-02-29'
