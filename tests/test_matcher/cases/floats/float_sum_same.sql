-- The same groups have the same sums.
-- v: match
CREATE VIEW v AS SELECT deptno, sum(rate) AS s, count(*) AS n FROM emp GROUP BY deptno;
SELECT deptno, sum(rate) AS s FROM emp GROUP BY deptno HAVING count(*) > 1
