-- A narrower HAVING.
-- v: match
CREATE VIEW v AS SELECT deptno, count(*) AS n FROM emp GROUP BY deptno HAVING count(*) > 1;
SELECT deptno FROM emp GROUP BY deptno HAVING count(*) > 2
