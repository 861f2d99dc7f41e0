-- A prefix is a range.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename >= 'a' AND ename < 'b';
SELECT sal FROM emp WHERE ename LIKE 'ab%'
