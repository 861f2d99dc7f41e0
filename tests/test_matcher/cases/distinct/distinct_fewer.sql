-- Fewer columns are made distinct again.
-- v: match
CREATE VIEW v AS SELECT DISTINCT deptno, sal FROM emp;
SELECT DISTINCT deptno FROM emp
