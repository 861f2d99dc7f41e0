-- A shorter list of strings.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename IN ('a', 'b', 'c');
SELECT sal FROM emp WHERE ename IN ('c', 'a')
