-- Groups over a view.
-- w: match
CREATE VIEW v AS SELECT deptno, active, sal FROM emp WHERE sal > 1;
CREATE VIEW w AS SELECT deptno, active, count(*) AS n FROM v GROUP BY deptno, active;
SELECT deptno, count(*) AS n FROM emp WHERE sal > 1 GROUP BY deptno
