-- Inner, outer, semi and anti joins, and groups of them.
SELECT e.empno, e.sal, e.comm, d.deptno, d.dname, d.budget FROM emp e LEFT JOIN dept d ON e.deptno = d.deptno AND d.budget > 3
SELECT e.empno, e.sal, e.comm, d.deptno, d.dname, d.budget FROM emp e LEFT JOIN dept d ON e.deptno = d.deptno
SELECT e.empno, e.sal, d.deptno, d.dname, d.budget FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno
SELECT e.empno, e.sal, d.deptno, d.dname, d.budget FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno AND e.sal > 3
SELECT e.empno, e.sal, d.deptno, d.dname, d.budget FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno WHERE e.sal > 3
SELECT e.empno, e.sal, d.deptno, d.dname, d.budget FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno WHERE e.sal > 3 OR e.sal IS NULL
SELECT e.empno, e.sal, d.deptno, d.dname, d.budget FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno WHERE d.budget > 3
SELECT e.empno, e.sal, d.deptno, d.dname, d.budget FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno AND d.budget > 3
SELECT e.empno, e.sal, d.deptno, d.dname, d.budget FROM dept d RIGHT JOIN emp e ON e.deptno = d.deptno AND d.budget > 3
SELECT e.empno, e.sal, d.deptno, d.dname, d.budget FROM dept d FULL JOIN emp e ON e.deptno = d.deptno AND d.budget > 3
SELECT e.empno, e.sal, d.deptno, d.dname, d.budget FROM dept d FULL JOIN emp e ON e.deptno = d.deptno
SELECT e.empno, e.sal, d.deptno, d.dname, d.budget FROM dept d JOIN emp e ON e.deptno = d.deptno AND d.budget > 3
SELECT e.empno, e.sal, d.deptno, d.dname, d.budget FROM dept d JOIN emp e ON e.deptno = d.deptno
SELECT e.empno, e.sal FROM emp e JOIN dept d ON e.deptno = d.deptno
SELECT e.empno, e.sal FROM emp e
SELECT DISTINCT e.sal FROM emp e
SELECT e.empno, e.sal FROM emp e WHERE e.deptno IN (SELECT deptno FROM dept)
SELECT e.empno, e.sal FROM emp e WHERE e.deptno NOT IN (SELECT deptno FROM dept)
SELECT e.empno, e.sal FROM emp e WHERE e.deptno IN (SELECT deptno FROM dept WHERE budget > 3)
SELECT e.empno, e.sal FROM emp e WHERE e.deptno NOT IN (SELECT deptno FROM dept WHERE budget > 3)
SELECT e.empno, e.sal FROM emp e WHERE NOT EXISTS (SELECT 1 FROM dept d WHERE d.deptno = e.deptno AND d.budget > 3)
SELECT e.empno, e.sal FROM emp e WHERE NOT EXISTS (SELECT 1 FROM dept d WHERE d.deptno = e.deptno AND d.budget > 3 AND e.sal > 4)
SELECT e.empno, e.sal FROM emp e LEFT ANTI JOIN dept d ON d.deptno = e.deptno AND d.budget > 3
SELECT e.empno, e.sal FROM emp e LEFT SEMI JOIN dept d ON d.deptno = e.deptno AND d.budget > 3
SELECT d.deptno, d.dname FROM dept d WHERE d.deptno NOT IN (SELECT deptno FROM emp)
SELECT d.deptno, d.dname FROM dept d WHERE NOT EXISTS (SELECT 1 FROM emp e WHERE e.deptno = d.deptno)
SELECT d.deptno, d.dname FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno WHERE e.empno IS NULL
SELECT d.deptno, d.dname FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno WHERE e.sal IS NULL
SELECT d.deptno, d.dname FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno AND e.sal > 3 WHERE e.empno IS NULL
SELECT d.deptno, count(*) n FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno GROUP BY d.deptno
SELECT d.deptno, count(e.empno) n FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno GROUP BY d.deptno
SELECT d.deptno, d.budget, count(e.empno) n, count(*) m, sum(e.sal) s FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno GROUP BY d.deptno, d.budget
SELECT d.budget, count(e.empno) n, count(*) m, sum(e.sal) s FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno GROUP BY d.budget
SELECT d.budget, count(e.empno) n, sum(e.sal) s, avg(e.sal) a FROM dept d JOIN emp e ON e.deptno = d.deptno GROUP BY d.budget
SELECT d.budget, count(*) n FROM dept d JOIN emp e ON e.deptno = d.deptno GROUP BY d.budget HAVING count(*) > 1
SELECT d.budget, count(*) n FROM dept d JOIN emp e ON e.deptno = d.deptno GROUP BY d.budget
SELECT e.deptno, count(*) n, sum(e.sal) s, count(e.sal) c FROM emp e GROUP BY e.deptno
SELECT e.deptno, e.sal, count(*) n FROM emp e GROUP BY e.deptno, e.sal
SELECT e.sal, count(*) n FROM emp e GROUP BY e.sal
SELECT count(*) n, sum(sal) s, min(sal) m, max(sal) x FROM emp
SELECT count(*) n, sum(sal) s, min(sal) m, max(sal) x FROM emp WHERE sal > 3
SELECT count(sal) n, avg(sal) s FROM emp WHERE sal > 3
SELECT count(*) n FROM emp HAVING count(*) > 2
SELECT count(DISTINCT sal) n FROM emp
SELECT deptno, count(DISTINCT sal) n FROM emp GROUP BY deptno
SELECT deptno, sum(DISTINCT sal) n FROM emp GROUP BY deptno
SELECT DISTINCT deptno, sal FROM emp
SELECT DISTINCT deptno, sal FROM emp WHERE comm > 1
SELECT DISTINCT deptno FROM emp
SELECT deptno FROM emp GROUP BY deptno HAVING sum(sal) > 5
SELECT deptno, sum(sal) s FROM emp WHERE sal IS NOT NULL GROUP BY deptno
SELECT deptno, sum(sal) s, sum(comm) c FROM emp GROUP BY deptno HAVING sum(comm) IS NOT NULL
SELECT d.dname, x.n FROM dept d JOIN (SELECT deptno, count(*) n FROM emp GROUP BY deptno) x ON x.deptno = d.deptno
SELECT d.dname, x.n FROM dept d LEFT JOIN (SELECT deptno, count(*) n FROM emp GROUP BY deptno) x ON x.deptno = d.deptno
SELECT d.dname, x.n FROM dept d LEFT JOIN (SELECT deptno, count(*) n FROM emp GROUP BY deptno) x ON x.deptno = d.deptno WHERE coalesce(x.n, 0) < 2
SELECT d.deptno, (SELECT max(sal) FROM emp e WHERE e.deptno = d.deptno) m FROM dept d
SELECT d.deptno, (SELECT count(*) FROM emp e WHERE e.deptno = d.deptno) m FROM dept d
SELECT d.deptno FROM dept d WHERE (SELECT count(*) FROM emp e WHERE e.deptno = d.deptno) > 1
SELECT d.deptno FROM dept d WHERE d.budget > (SELECT max(sal) FROM emp)
SELECT a.empno x, b.empno y, a.sal, b.sal sal2 FROM emp a JOIN emp b ON a.deptno = b.deptno
SELECT a.empno x, b.empno y, a.sal, b.sal sal2 FROM emp a JOIN emp b ON a.deptno = b.deptno AND a.sal < b.sal
SELECT a.empno x, b.empno y, a.sal FROM emp a LEFT JOIN emp b ON a.deptno = b.deptno AND a.sal < b.sal
SELECT a.empno x, a.sal FROM emp a LEFT JOIN emp b ON a.deptno = b.deptno AND a.sal < b.sal WHERE b.empno IS NULL
SELECT a.empno x, a.sal FROM emp a WHERE NOT EXISTS (SELECT 1 FROM emp b WHERE a.deptno = b.deptno AND a.sal < b.sal)
SELECT a.empno, a.sal FROM emp a JOIN emp b ON a.empno = b.empno
SELECT e.empno, b.amount, s.qty FROM emp e JOIN bonus b ON e.empno = b.empno JOIN sale s ON s.empno = e.empno
SELECT e.empno, b.amount FROM emp e JOIN bonus b ON e.empno = b.empno
SELECT e.empno, b.amount FROM emp e LEFT JOIN bonus b ON e.empno = b.empno
SELECT e.empno, b.amount, s.qty FROM emp e LEFT JOIN bonus b ON e.empno = b.empno LEFT JOIN sale s ON s.empno = b.empno
SELECT e.empno, b.amount, s.qty FROM emp e LEFT JOIN bonus b ON e.empno = b.empno JOIN sale s ON s.empno = b.empno
SELECT empno, sum(amount) s FROM bonus GROUP BY empno
SELECT e.ename, sum(b.amount) s FROM emp e JOIN bonus b ON e.empno = b.empno GROUP BY e.empno, e.ename
SELECT e.deptno, sum(b.amount) s FROM emp e JOIN bonus b ON e.empno = b.empno GROUP BY e.deptno
SELECT e.deptno, sum(b.amount) s, count(*) n FROM emp e LEFT JOIN bonus b ON e.empno = b.empno GROUP BY e.deptno
SELECT e.deptno, sum(e.sal) s, count(*) n FROM emp e LEFT JOIN bonus b ON e.empno = b.empno GROUP BY e.deptno
SELECT e.deptno, sum(e.sal) s, count(*) n FROM emp e JOIN bonus b ON e.empno = b.empno GROUP BY e.deptno
SELECT e.deptno, e.empno, sum(e.sal) s, count(*) n FROM emp e JOIN bonus b ON e.empno = b.empno GROUP BY e.deptno, e.empno
