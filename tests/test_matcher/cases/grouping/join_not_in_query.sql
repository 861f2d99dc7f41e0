-- The view's sum counts rows once per sale.
-- v: no TABLES.EXTRA
CREATE VIEW v AS SELECT e.deptno, sum(e.sal) AS s FROM emp e JOIN sale s ON e.empno = s.empno GROUP BY e.deptno;
SELECT deptno, sum(sal) AS s FROM emp GROUP BY deptno
