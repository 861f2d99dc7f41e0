-- A smaller product is missing.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, pay, sal FROM emp WHERE pay * sal > 20;
SELECT ename FROM emp WHERE pay * sal > 10
