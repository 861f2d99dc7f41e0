-- NOT (sal > 3) is not true for NULL.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE NOT (sal > 3);
SELECT ename FROM emp WHERE sal <= 3 OR sal IS NULL
