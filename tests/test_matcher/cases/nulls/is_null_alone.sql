-- The NULLs of a view without conditions.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp;
SELECT ename FROM emp WHERE sal IS NULL
