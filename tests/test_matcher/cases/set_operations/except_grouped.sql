-- Parking lot: groups over the cars inside.
-- v: match
CREATE VIEW v AS SELECT item, deptno FROM sale EXCEPT SELECT ename, deptno FROM emp;
SELECT deptno, count(*) AS n FROM (SELECT item, deptno FROM sale EXCEPT SELECT ename, deptno FROM emp) q GROUP BY deptno
