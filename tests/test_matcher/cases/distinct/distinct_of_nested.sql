-- DISTINCT in a derived table.
-- v: match part
CREATE VIEW v AS SELECT DISTINCT deptno, sal FROM emp;
SELECT deptno, count(*) AS n FROM (SELECT DISTINCT deptno, sal FROM emp) q GROUP BY deptno
