-- sal > 3 means that sal is not NULL.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal IS NOT NULL;
SELECT ename FROM emp WHERE sal > 3
