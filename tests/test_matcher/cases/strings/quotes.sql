-- A quote inside a string.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename <> 'it\'s';
SELECT sal FROM emp WHERE ename = 'its'
