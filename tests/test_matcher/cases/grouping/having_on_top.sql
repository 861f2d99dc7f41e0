-- HAVING is a filter on the view.
-- v: match
CREATE VIEW v AS SELECT deptno, count(*) AS n, sum(sal) AS s FROM emp GROUP BY deptno;
SELECT deptno, sum(sal) AS s FROM emp GROUP BY deptno HAVING count(*) > 1
