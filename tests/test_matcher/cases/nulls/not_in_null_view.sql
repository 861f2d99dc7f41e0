-- A NULL in the view's NOT IN list keeps nothing.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal NOT IN (1, NULL);
SELECT ename FROM emp WHERE sal > 1
