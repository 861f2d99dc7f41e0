-- A function that is not modelled, of the same argument.
-- v: match
CREATE VIEW v AS SELECT ename, empno FROM emp WHERE reverse(ename) = 'a';
SELECT ename FROM emp WHERE reverse(ename) = 'a' AND empno > 2
