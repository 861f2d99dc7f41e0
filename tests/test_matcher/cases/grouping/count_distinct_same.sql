-- COUNT DISTINCT of the same groups.
-- v: match
CREATE VIEW v AS SELECT deptno, count(DISTINCT sal) AS n FROM emp GROUP BY deptno;
SELECT deptno, count(DISTINCT sal) AS n FROM emp GROUP BY deptno
