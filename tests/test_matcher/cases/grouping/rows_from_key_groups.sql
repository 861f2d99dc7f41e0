-- Groups of one row each.
-- v: match
CREATE VIEW v AS SELECT empno, ename, sal, count(*) AS n FROM emp GROUP BY empno, ename, sal;
SELECT ename, sal FROM emp WHERE sal > 2
