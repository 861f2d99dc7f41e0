-- A point that is not the missing one.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal <> 3;
SELECT ename FROM emp WHERE sal = 4
