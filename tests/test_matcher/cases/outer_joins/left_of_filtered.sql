-- A filtered side under the left join.
-- v: match
CREATE VIEW v AS SELECT d.dname, q.ename FROM dept d LEFT JOIN (SELECT ename, deptno FROM emp WHERE sal > 3) q ON d.deptno = q.deptno;
SELECT d.dname, e.ename FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno AND e.sal > 3
