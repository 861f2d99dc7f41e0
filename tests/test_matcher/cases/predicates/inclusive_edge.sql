-- One value at the edge is missing.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal > 5;
SELECT ename FROM emp WHERE sal >= 5
