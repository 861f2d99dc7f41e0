-- A view of two tables and a view of the third.
-- uses: v, w
-- v: match
-- w: match
CREATE VIEW v AS SELECT e.empno, e.ename, d.dname, e.sal FROM emp e JOIN dept d ON e.deptno = d.deptno WHERE e.sal > 2;
CREATE VIEW w AS SELECT empno, amount FROM bonus WHERE amount > 1;
SELECT e.ename, d.dname, b.amount FROM emp e JOIN dept d ON e.deptno = d.deptno JOIN bonus b ON e.empno = b.empno WHERE e.sal > 2 AND b.amount > 4
