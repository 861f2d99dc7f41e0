-- A right join is a left join turned round.
-- v: match
CREATE VIEW v AS SELECT d.dname, e.ename FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno;
SELECT d.dname, e.ename FROM emp e RIGHT JOIN dept d ON d.deptno = e.deptno
