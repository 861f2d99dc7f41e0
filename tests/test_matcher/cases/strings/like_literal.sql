-- A pattern without wildcards is a string.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename LIKE 'abc';
SELECT sal FROM emp WHERE ename = 'abc'
