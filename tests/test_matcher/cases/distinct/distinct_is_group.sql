-- DISTINCT is a grouping.
-- v: match
CREATE VIEW v AS SELECT deptno, sal, count(*) AS n FROM emp GROUP BY deptno, sal;
SELECT DISTINCT sal FROM emp
