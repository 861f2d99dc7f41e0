-- An average of maxima, over the maxima.
-- v: match part
CREATE VIEW v AS SELECT deptno, max(sal) AS m FROM emp GROUP BY deptno;
SELECT avg(m) AS a FROM (SELECT deptno, max(sal) AS m FROM emp GROUP BY deptno) q
