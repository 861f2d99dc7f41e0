-- A string that does not match.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename LIKE 'a%c';
SELECT sal FROM emp WHERE ename = 'ab'
