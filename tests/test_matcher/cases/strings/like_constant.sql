-- A string that matches.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename LIKE 'a%c';
SELECT sal FROM emp WHERE ename = 'abc'
