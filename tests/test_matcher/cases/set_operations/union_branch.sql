-- A branch of the union.
-- v: match part
CREATE VIEW v AS SELECT ename, sal, deptno FROM emp WHERE sal > 1;
SELECT ename AS n FROM emp WHERE sal > 3 UNION ALL SELECT dname FROM dept
