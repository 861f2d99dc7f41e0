-- _ is one character.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename LIKE '_b%';
SELECT sal FROM emp WHERE ename LIKE 'ab_'
