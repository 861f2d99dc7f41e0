-- The view keeps one of two equal columns.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal = comm;
SELECT comm FROM emp WHERE sal = comm
