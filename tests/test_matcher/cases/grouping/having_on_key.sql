-- HAVING on a grouping column is a WHERE.
-- v: match
CREATE VIEW v AS SELECT deptno, count(*) AS n FROM emp WHERE deptno > 1 GROUP BY deptno;
SELECT deptno, count(*) AS n FROM emp GROUP BY deptno HAVING deptno > 3
