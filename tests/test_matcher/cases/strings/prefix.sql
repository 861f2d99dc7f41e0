-- A longer prefix.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename LIKE 'a%';
SELECT sal FROM emp WHERE ename LIKE 'ab%'
