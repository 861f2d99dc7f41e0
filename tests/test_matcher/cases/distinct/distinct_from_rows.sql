-- DISTINCT over the view's rows.
-- v: match
CREATE VIEW v AS SELECT deptno, sal FROM emp;
SELECT DISTINCT deptno FROM emp WHERE sal > 3
