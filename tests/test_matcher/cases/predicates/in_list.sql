-- A shorter IN list.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal IN (1, 2, 3, 4);
SELECT ename FROM emp WHERE sal IN (2, 4)
