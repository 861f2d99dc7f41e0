-- The query wants rows that the view has not.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT empno, sal FROM emp WHERE sal > 5;
SELECT empno FROM emp WHERE sal > 3
