-- One table: conditions of every kind, expressions of what is shown, and groups.
SELECT empno, ename FROM emp WHERE ename LIKE 'a%'
SELECT empno, ename FROM emp WHERE ename LIKE 'ab%'
SELECT empno, ename FROM emp WHERE ename NOT LIKE 'a%'
SELECT empno, ename FROM emp WHERE ename LIKE '%b'
SELECT empno, ename FROM emp WHERE ename LIKE '%'
SELECT empno, ename FROM emp WHERE ename LIKE ''
SELECT empno, ename FROM emp WHERE ename = ''
SELECT empno, ename FROM emp WHERE ename LIKE '_'
SELECT empno, ename FROM emp WHERE ename LIKE '__%'
SELECT empno, ename FROM emp WHERE ename LIKE '_b_'
SELECT empno, ename FROM emp WHERE ename LIKE 'a_c'
SELECT empno, ename FROM emp WHERE ename >= 'a' AND ename < 'b'
SELECT empno, ename FROM emp WHERE ename BETWEEN 'a' AND 'b'
SELECT empno, ename FROM emp WHERE ename > 'a'
SELECT empno, ename FROM emp WHERE ename IN ('a', 'b', NULL)
SELECT empno, ename FROM emp WHERE ename NOT IN ('a', 'b')
SELECT empno, ename FROM emp WHERE ename NOT IN ('a', NULL)
SELECT empno, ename FROM emp WHERE NOT (ename = 'a') OR ename IS NULL
SELECT empno, ename FROM emp WHERE (ename = 'a') IS NOT TRUE
SELECT empno, ename FROM emp WHERE (ename = 'a') IS FALSE
SELECT empno, ename FROM emp WHERE upper(ename) = 'AB'
SELECT empno, ename FROM emp WHERE length(ename) = 2
SELECT empno, ename FROM emp WHERE CASE WHEN ename = 'a' THEN 1 WHEN ename = 'b' THEN 2 ELSE 3 END = 2
SELECT empno, ename FROM emp WHERE CASE ename WHEN 'a' THEN 1 WHEN NULL THEN 2 ELSE 3 END < 3
SELECT empno, ename FROM emp WHERE coalesce(ename, 'a') = 'a'
SELECT empno, ename FROM emp WHERE nullif(ename, 'a') IS NULL
SELECT empno, sal, comm FROM emp WHERE sal + comm > 5
SELECT empno, sal, comm FROM emp WHERE sal > 5 - comm
SELECT empno, sal, comm FROM emp WHERE sal > 3 AND comm > 2
SELECT empno, sal, comm FROM emp WHERE sal > 3 OR comm > 2
SELECT empno, sal, comm FROM emp WHERE NOT (sal > 3 AND comm > 2)
SELECT empno, sal, comm FROM emp WHERE sal * comm > 6
SELECT empno, sal, comm FROM emp WHERE sal * sal > 9
SELECT empno, sal, comm FROM emp WHERE abs(sal) > 3
SELECT empno, sal, comm FROM emp WHERE sal > 3 OR sal < -3
SELECT empno, sal, comm FROM emp WHERE sal % 3 = 0
SELECT empno, sal, comm FROM emp WHERE sal % 6 = 0
SELECT empno, sal, comm FROM emp WHERE sal % 3 = -1
SELECT empno, sal, comm FROM emp WHERE sal % -3 = 1
SELECT empno, sal, comm FROM emp WHERE sal / 2 > 1
SELECT empno, sal, comm FROM emp WHERE sal DIV 2 > 1
SELECT empno, sal, comm FROM emp WHERE sal DIV -2 > 1
SELECT empno, sal, comm FROM emp WHERE sal >= 4
SELECT empno, sal, comm FROM emp WHERE sal > 3.5
SELECT empno, sal, comm FROM emp WHERE sal > 3.0
SELECT empno, sal, comm FROM emp WHERE sal > '3'
SELECT empno, sal, comm FROM emp WHERE sal IN (4, 5, 6)
SELECT empno, sal, comm FROM emp WHERE sal IN (4, 5, NULL)
SELECT empno, sal, comm FROM emp WHERE sal = comm
SELECT empno, sal, comm FROM emp WHERE sal <=> comm
SELECT empno, sal, comm FROM emp WHERE sal IS DISTINCT FROM comm
SELECT empno, sal, comm FROM emp WHERE sal <> comm
SELECT empno, sal, comm FROM emp WHERE coalesce(sal, 0) > coalesce(comm, 0)
SELECT empno, sal, comm FROM emp WHERE greatest(sal, comm) > 3
SELECT empno, sal, comm FROM emp WHERE sal IS NULL AND comm IS NULL
SELECT empno, sal, comm FROM emp WHERE sal + comm IS NULL
SELECT empno, sal, comm FROM emp WHERE sal IS NULL OR comm IS NULL
SELECT empno, sal - comm x FROM emp
SELECT empno, comm - sal + 3 x FROM emp WHERE sal > 3
SELECT empno, sal - comm x, sal + comm y FROM emp
SELECT empno, sal FROM emp WHERE sal = comm
SELECT empno, comm FROM emp WHERE sal = comm AND sal > 2
SELECT empno, CASE WHEN sal > 3 THEN comm ELSE sal END x FROM emp
SELECT empno, rate FROM emp WHERE rate > 1.5
SELECT empno, rate FROM emp WHERE NOT (rate <= 1.5)
SELECT empno, rate FROM emp WHERE rate >= 1.5 AND rate < 100
SELECT empno, rate FROM emp WHERE rate = rate
SELECT empno, rate FROM emp WHERE rate + 1 > 2
SELECT empno, rate FROM emp WHERE rate * 2 > 3
SELECT empno, rate FROM emp WHERE isnan(rate) OR rate > 3
SELECT empno, rate FROM emp WHERE rate > sal
SELECT empno, pay FROM emp WHERE pay > 1.50
SELECT empno, pay FROM emp WHERE pay > 1.5
SELECT empno, pay FROM emp WHERE pay >= 1.51
SELECT empno, pay FROM emp WHERE pay * 2 > 3
SELECT empno, pay FROM emp WHERE pay + pay > 3
SELECT empno, pay FROM emp WHERE pay > sal
SELECT empno, pay FROM emp WHERE pay > rate
SELECT empno, hired FROM emp WHERE hired > '2024-01-01'
SELECT empno, hired FROM emp WHERE hired >= DATE '2024-01-02'
SELECT empno, hired FROM emp WHERE year(hired) = 2024
SELECT empno, hired FROM emp WHERE year(hired) = 2024 AND month(hired) = 2
SELECT empno, hired FROM emp WHERE hired BETWEEN '2024-02-01' AND '2024-02-29'
SELECT empno, hired FROM emp WHERE month(hired) = 2
SELECT empno, hired FROM emp WHERE quarter(hired) = 1 AND year(hired) = 2024
SELECT empno, hired FROM emp WHERE datediff(hired, DATE '2024-01-01') > 14
SELECT empno, hired FROM emp WHERE hired + 3 > DATE '2024-01-10'
SELECT empno, hired FROM emp WHERE day(hired) = 29 AND month(hired) = 2
SELECT empno, active FROM emp WHERE active
SELECT empno, active FROM emp WHERE NOT active
SELECT empno, active FROM emp WHERE active = true AND sal > 3
SELECT empno, active FROM emp WHERE active IS NOT FALSE
SELECT empno FROM emp WHERE 1 = 1
SELECT empno FROM emp WHERE NULL
SELECT empno FROM emp WHERE sal > NULL
SELECT empno FROM emp WHERE sal > 3 AND sal < 3
SELECT DISTINCT sal, comm FROM emp WHERE sal = comm
SELECT sal, count(*) n FROM emp WHERE sal = comm GROUP BY sal
SELECT comm, count(*) n FROM emp WHERE sal = comm GROUP BY comm
SELECT sal + 1 s, count(*) n, sum(comm) t FROM emp GROUP BY sal + 1
SELECT sal % 2 s, count(*) n, sum(comm) t FROM emp GROUP BY sal % 2
SELECT sal, count(*) n, sum(comm) t, count(comm) c FROM emp GROUP BY sal
SELECT sal > 3 b, count(*) n, sum(comm) t FROM emp GROUP BY sal > 3
SELECT year(hired) y, count(*) n, max(rate) r FROM emp GROUP BY year(hired)
SELECT year(hired) y, month(hired) m, count(*) n, max(rate) r FROM emp GROUP BY year(hired), month(hired)
SELECT hired, count(*) n, max(rate) r, min(ename) e FROM emp GROUP BY hired
SELECT count(*) n, count(hired) h, max(rate) r FROM emp
SELECT active, sum(rate) r, sum(pay) p, avg(pay) q FROM emp GROUP BY active
SELECT sum(rate) r, sum(pay) p FROM emp
SELECT active, deptno, sum(rate) r, sum(pay) p, avg(pay) q, count(pay) c FROM emp GROUP BY active, deptno
SELECT sum(pay) p, avg(pay) a FROM emp
SELECT active, stddev(sal) d, var_pop(sal) v FROM emp GROUP BY active
SELECT active, count(sal) c, sum(sal) s, sum(sal * sal) q FROM emp GROUP BY active
SELECT stddev_pop(sal) d FROM emp
SELECT active, sal, count(*) n FROM emp GROUP BY active, sal
SELECT coalesce(sal, 0) s, count(*) n FROM emp GROUP BY coalesce(sal, 0)
SELECT coalesce(sal, 0) s, sal, count(*) n FROM emp GROUP BY coalesce(sal, 0), sal
SELECT CASE WHEN sal > 3 THEN 'hi' ELSE 'lo' END c, count(*) n FROM emp GROUP BY CASE WHEN sal > 3 THEN 'hi' ELSE 'lo' END
SELECT max(sal) - min(sal) r, deptno FROM emp GROUP BY deptno
SELECT max(sal) a, min(sal) b, deptno FROM emp GROUP BY deptno HAVING max(sal) > 4
SELECT deptno FROM emp GROUP BY deptno HAVING max(sal) > 6 AND count(*) > 1
SELECT deptno, count(*) n, max(sal) m FROM emp GROUP BY deptno HAVING count(*) > 1
