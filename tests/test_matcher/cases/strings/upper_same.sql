-- The same function of a string.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE upper(ename) = 'AB';
SELECT sal FROM emp WHERE upper(ename) = 'AB' AND sal > 1
