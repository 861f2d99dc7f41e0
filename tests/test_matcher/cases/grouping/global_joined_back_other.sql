-- The same without the maximum in the view.
-- v: no AGGREGATE.MISSING
CREATE VIEW v AS SELECT max(e.comm) AS m FROM emp e, dept d WHERE e.deptno = d.deptno AND e.empno = 2;
SELECT max(e.sal) AS m FROM emp e, dept d WHERE e.deptno = d.deptno AND e.empno = 2 AND e.comm > 1
