-- COUNT DISTINCT over DISTINCT.
-- v: match
CREATE VIEW v AS SELECT DISTINCT deptno, sal FROM emp;
SELECT deptno, count(DISTINCT sal) AS n FROM emp GROUP BY deptno
