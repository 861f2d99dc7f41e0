-- A view over groups.
-- w: match
CREATE VIEW v AS SELECT deptno, count(*) AS n FROM emp GROUP BY deptno;
CREATE VIEW w AS SELECT deptno, n FROM v WHERE n > 1;
SELECT deptno FROM emp GROUP BY deptno HAVING count(*) > 2
