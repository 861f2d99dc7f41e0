-- A comparison never keeps NULL.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal > 3 OR sal <= 3;
SELECT ename FROM emp
