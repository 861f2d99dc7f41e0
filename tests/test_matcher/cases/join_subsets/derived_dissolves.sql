-- A derived table that only selects is part of the join.
-- v: match
CREATE VIEW v AS SELECT e.ename, e.sal, d.dname FROM emp e JOIN dept d ON e.deptno = d.deptno;
SELECT q.ename, d.dname FROM (SELECT ename, deptno FROM emp WHERE sal > 3) q JOIN dept d ON q.deptno = d.deptno
