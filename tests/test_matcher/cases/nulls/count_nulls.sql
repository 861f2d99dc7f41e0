-- COUNT(*) minus COUNT.
-- v: match
CREATE VIEW v AS SELECT deptno, count(*) AS n, count(comm) AS c FROM emp GROUP BY deptno;
SELECT deptno, count(*) - count(comm) AS nulls FROM emp GROUP BY deptno
