-- Upper case comes before lower case.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename >= 'a';
SELECT sal FROM emp WHERE ename = 'Sales'
