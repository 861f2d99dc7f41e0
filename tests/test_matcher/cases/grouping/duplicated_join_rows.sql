-- A join that multiplies rows multiplies the sum, in view and query alike.
-- v: match
CREATE VIEW v AS SELECT e.deptno, sum(e.sal) AS s FROM emp e GROUP BY e.deptno;
SELECT s.item, sum(e.sal) AS x FROM emp e JOIN sale s ON e.deptno = s.deptno GROUP BY s.item
