-- a < b and b < c make a < c.
-- v: match
CREATE VIEW v AS SELECT ename, sal, comm, deptno FROM emp WHERE sal < deptno;
SELECT ename FROM emp WHERE sal < comm AND comm < deptno
