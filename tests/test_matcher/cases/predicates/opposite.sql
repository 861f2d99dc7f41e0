-- Opposite comparisons share no row.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal, comm FROM emp WHERE sal > comm;
SELECT ename FROM emp WHERE sal < comm
