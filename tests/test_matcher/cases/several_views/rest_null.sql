-- The rest has the rows for which the view's condition is unknown.
-- rest: v
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal > 5;
SELECT ename, sal FROM emp
