-- Which value is the first is not fixed.
-- v: no NONDETERMINISTIC
CREATE VIEW v AS SELECT deptno, first(sal) AS f FROM emp GROUP BY deptno;
SELECT deptno, first(sal) AS f FROM emp GROUP BY deptno
