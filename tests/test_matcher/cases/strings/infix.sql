-- What begins with ab has a b in it.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename LIKE '%b%';
SELECT sal FROM emp WHERE ename LIKE 'ab%'
