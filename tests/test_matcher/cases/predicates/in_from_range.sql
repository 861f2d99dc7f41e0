-- IN inside a range.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal > 0;
SELECT ename, sal FROM emp WHERE sal IN (3, 5)
