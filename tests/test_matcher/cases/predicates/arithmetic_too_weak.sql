-- The sum may be smaller.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal, comm FROM emp WHERE sal + comm > 5;
SELECT ename FROM emp WHERE sal > 2 AND comm > 1
