-- The same string.
-- v: match
CREATE VIEW v AS SELECT ename, empno, sal FROM emp WHERE ename = 'ab';
SELECT sal FROM emp WHERE ename = 'ab'
