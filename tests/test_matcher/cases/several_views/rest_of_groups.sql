-- A condition on the groups of a derived table, and the groups that the view does not have.
-- rest: v
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT x.deptno, x.n, d.dname FROM
(SELECT deptno, count(*) AS n FROM emp GROUP BY deptno) x JOIN dept d ON x.deptno = d.deptno WHERE x.n > 2;
SELECT d.dname, x.n FROM
(SELECT deptno, count(*) AS n FROM emp GROUP BY deptno) x JOIN dept d ON x.deptno = d.deptno WHERE x.n > 1
