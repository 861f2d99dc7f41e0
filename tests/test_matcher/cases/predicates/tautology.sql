-- A condition that holds for every value that is not NULL.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal > 5 OR sal <= 5;
SELECT ename FROM emp WHERE sal > 0
