-- DISTINCT from DISTINCT.
-- v: match
CREATE VIEW v AS SELECT DISTINCT deptno, sal FROM emp;
SELECT DISTINCT deptno, sal FROM emp
