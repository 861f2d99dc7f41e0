-- An OR is wider than its side.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal, comm FROM emp WHERE comm > 5;
SELECT ename FROM emp WHERE sal > 5 OR comm > 5
