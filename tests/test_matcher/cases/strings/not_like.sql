-- NOT LIKE is not true for NULL.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename NOT LIKE 'a%';
SELECT sal FROM emp WHERE ename LIKE 'b%' OR ename IS NULL
