-- A shorter prefix.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename LIKE 'ab%';
SELECT sal FROM emp WHERE ename LIKE 'a%'
