-- A suffix says nothing of the beginning.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename LIKE 'a%';
SELECT sal FROM emp WHERE ename LIKE '%c'
