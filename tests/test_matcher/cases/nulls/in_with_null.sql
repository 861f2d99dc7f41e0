-- x IN (1, NULL) is x = 1, where it is true.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal = 1;
SELECT ename FROM emp WHERE sal IN (1, NULL)
