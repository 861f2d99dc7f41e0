-- A table more in the query is joined to the view.
-- v: match
CREATE VIEW v AS SELECT e.ename, e.deptno, e.sal FROM emp e WHERE e.sal > 2;
SELECT e.ename, d.dname FROM emp e JOIN dept d ON e.deptno = d.deptno WHERE e.sal > 3
