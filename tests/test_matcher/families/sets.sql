-- Set operations, OVER, derived tables and subqueries.
SELECT deptno, item FROM sale UNION ALL SELECT deptno, ename FROM emp
SELECT deptno, item FROM sale UNION SELECT deptno, ename FROM emp
SELECT deptno, ename FROM emp UNION ALL SELECT deptno, item FROM sale
SELECT deptno, ename FROM emp
SELECT deptno, item FROM sale
SELECT deptno, item FROM sale WHERE deptno > 3
SELECT deptno, item FROM sale WHERE deptno <= 3
SELECT deptno, item FROM sale WHERE deptno > 3 UNION ALL SELECT deptno, item FROM sale WHERE deptno <= 3
SELECT deptno, item FROM sale WHERE deptno > 3 UNION ALL SELECT deptno, item FROM sale WHERE deptno <= 3 OR deptno IS NULL
SELECT * FROM (SELECT deptno, item FROM sale UNION ALL SELECT deptno, ename FROM emp) WHERE deptno > 3
SELECT * FROM (SELECT deptno, item FROM sale UNION SELECT deptno, ename FROM emp) WHERE deptno > 3
SELECT deptno, count(*) n FROM (SELECT deptno, item FROM sale UNION ALL SELECT deptno, ename FROM emp) GROUP BY deptno
SELECT deptno, count(*) n FROM (SELECT deptno, item FROM sale UNION SELECT deptno, ename FROM emp) GROUP BY deptno
SELECT DISTINCT deptno FROM (SELECT deptno, item FROM sale UNION ALL SELECT deptno, ename FROM emp)
SELECT deptno FROM sale INTERSECT SELECT deptno FROM emp
SELECT deptno FROM sale INTERSECT ALL SELECT deptno FROM emp
SELECT deptno FROM emp INTERSECT SELECT deptno FROM sale
SELECT deptno FROM sale EXCEPT SELECT deptno FROM emp
SELECT deptno FROM sale EXCEPT ALL SELECT deptno FROM emp
SELECT deptno FROM emp EXCEPT SELECT deptno FROM sale
SELECT deptno FROM (SELECT deptno FROM sale INTERSECT SELECT deptno FROM emp) WHERE deptno > 3
SELECT deptno FROM (SELECT deptno FROM sale EXCEPT SELECT deptno FROM emp) WHERE deptno > 3
SELECT deptno FROM sale WHERE deptno > 3 EXCEPT SELECT deptno FROM emp
SELECT deptno FROM sale WHERE deptno > 3 EXCEPT SELECT deptno FROM emp WHERE deptno > 3
SELECT DISTINCT deptno FROM sale WHERE deptno IN (SELECT deptno FROM emp)
SELECT DISTINCT s.deptno FROM sale s JOIN emp e ON s.deptno = e.deptno
SELECT DISTINCT deptno FROM sale
SELECT deptno FROM sale
SELECT deptno, qty, rank() OVER (PARTITION BY deptno ORDER BY qty) r FROM sale
SELECT deptno, qty, rank() OVER (PARTITION BY deptno ORDER BY qty DESC) r FROM sale
SELECT deptno, qty, sum(qty) OVER (PARTITION BY deptno) r FROM sale
SELECT deptno, qty, sum(qty) OVER (PARTITION BY deptno ORDER BY qty) r FROM sale
SELECT deptno, qty, sum(qty) OVER (PARTITION BY deptno) r FROM sale WHERE qty > 3
SELECT deptno, qty FROM (SELECT deptno, qty, rank() OVER (PARTITION BY deptno ORDER BY qty) r FROM sale) WHERE r = 1
SELECT deptno, qty, r FROM (SELECT deptno, qty, rank() OVER (PARTITION BY deptno ORDER BY qty) r FROM sale) WHERE r <= 2
SELECT deptno, qty, r FROM (SELECT deptno, qty, rank() OVER (PARTITION BY deptno ORDER BY qty) r FROM sale) WHERE deptno = 3
SELECT deptno, n FROM (SELECT deptno, count(*) n, sum(qty) q FROM sale GROUP BY deptno) WHERE n > 1
SELECT deptno, n, q FROM (SELECT deptno, count(*) n, sum(qty) q FROM sale GROUP BY deptno) WHERE n > 0
SELECT n, count(*) c FROM (SELECT deptno, count(*) n FROM sale GROUP BY deptno) GROUP BY n
SELECT max(n) m FROM (SELECT deptno, count(*) n FROM sale GROUP BY deptno)
SELECT max(n) m FROM (SELECT deptno, item, count(*) n FROM sale GROUP BY deptno, item)
SELECT deptno, max(n) m FROM (SELECT deptno, item, count(*) n FROM sale GROUP BY deptno, item) GROUP BY deptno
SELECT deptno, sum(n) m FROM (SELECT deptno, item, count(*) n FROM sale GROUP BY deptno, item) GROUP BY deptno
SELECT deptno, count(*) m FROM sale GROUP BY deptno
SELECT deptno, item, count(*) m, sum(qty * price) t FROM sale GROUP BY deptno, item
SELECT deptno, sum(qty * price) t FROM sale GROUP BY deptno
SELECT deptno, sum(qty) * 2 t FROM sale GROUP BY deptno
SELECT s.deptno, s.qty, t.m FROM sale s JOIN (SELECT deptno, max(qty) m FROM sale GROUP BY deptno) t ON s.deptno = t.deptno
SELECT s.deptno, s.qty FROM sale s JOIN (SELECT deptno, max(qty) m FROM sale GROUP BY deptno) t ON s.deptno = t.deptno AND s.qty = t.m
SELECT s.deptno, s.qty FROM sale s WHERE s.qty = (SELECT max(qty) FROM sale t WHERE t.deptno = s.deptno)
SELECT s.deptno, s.qty FROM sale s WHERE s.qty > (SELECT avg(qty) FROM sale t)
SELECT s.deptno, s.qty FROM sale s WHERE s.qty > (SELECT avg(qty) FROM sale t WHERE qty > 0)
SELECT s.deptno, s.qty FROM sale s WHERE EXISTS (SELECT 1 FROM emp e WHERE e.deptno = s.deptno AND e.sal > s.price)
SELECT s.deptno, s.qty FROM sale s WHERE EXISTS (SELECT 1 FROM emp e WHERE e.deptno = s.deptno AND e.sal > s.price) AND s.qty > 3
SELECT s.deptno, s.qty FROM sale s WHERE EXISTS (SELECT 1 FROM emp e WHERE e.deptno = s.deptno) OR s.qty > 3
SELECT s.deptno, s.qty FROM sale s WHERE EXISTS (SELECT 1 FROM emp e WHERE e.deptno = s.deptno)
SELECT s.deptno, s.qty FROM sale s WHERE EXISTS (SELECT 1 FROM emp e WHERE e.deptno = s.deptno AND e.sal > 3)
SELECT s.deptno, s.qty FROM sale s WHERE EXISTS (SELECT 1 FROM emp e)
SELECT s.deptno, s.qty FROM sale s WHERE s.deptno IN (SELECT deptno FROM emp WHERE sal > 3)
SELECT s.deptno, s.qty FROM sale s WHERE s.deptno NOT IN (SELECT deptno FROM emp WHERE sal > 3)
SELECT s.deptno, s.qty FROM sale s WHERE s.qty NOT IN (SELECT comm FROM emp)
SELECT s.deptno, s.qty FROM sale s WHERE s.qty NOT IN (SELECT comm FROM emp WHERE comm IS NOT NULL)
SELECT s.deptno, s.qty FROM sale s WHERE NOT EXISTS (SELECT 1 FROM emp e WHERE e.comm = s.qty)
SELECT s.deptno, s.qty FROM sale s WHERE (s.qty IN (SELECT comm FROM emp)) IS NOT TRUE
SELECT s.deptno, s.qty FROM sale s WHERE s.qty IN (SELECT comm FROM emp)
SELECT s.deptno, s.qty FROM sale s WHERE s.qty IN (SELECT comm FROM emp) OR s.qty > 3
SELECT s.deptno, s.qty, s.qty IN (SELECT comm FROM emp) b FROM sale s
SELECT comm FROM emp
SELECT comm, sal, deptno FROM emp WHERE comm IS NOT NULL
SELECT sal, deptno FROM emp
SELECT deptno, sal FROM emp WHERE sal > 3
SELECT DISTINCT deptno FROM emp WHERE sal > 3
WITH q AS (SELECT deptno, sum(qty) t FROM sale GROUP BY deptno) SELECT a.deptno, a.t, b.t u FROM q a JOIN q b ON a.deptno = b.deptno + 1
SELECT a.deptno, a.qty, b.qty q2 FROM sale a JOIN sale b ON a.deptno = b.deptno
SELECT DISTINCT a.deptno, a.qty FROM sale a JOIN sale b ON a.deptno = b.deptno
SELECT a.deptno, a.qty FROM sale a
SELECT DISTINCT a.deptno, a.qty FROM sale a
SELECT a.deptno, count(*) n FROM sale a JOIN sale b ON a.deptno = b.deptno GROUP BY a.deptno
