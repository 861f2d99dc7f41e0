-- For a column that is never NULL it changes nothing.
-- v: match
CREATE VIEW v AS SELECT coalesce(deptno, 0) AS d FROM emp;
SELECT deptno FROM emp
