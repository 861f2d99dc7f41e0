-- The view has its row over nothing too, so what a key brings back is no maximum: that of the view is.
-- v: match
CREATE VIEW v AS SELECT max(e.sal) AS m FROM emp e, dept d WHERE e.deptno = d.deptno AND e.empno = 2;
SELECT max(e.sal) AS m FROM emp e, dept d WHERE e.deptno = d.deptno AND e.empno = 2 AND e.comm > 1
