-- A sum of sums has digits enough.
-- v: match
CREATE VIEW v AS SELECT deptno, active, sum(pay) AS s FROM emp GROUP BY deptno, active;
SELECT deptno, sum(pay) AS s FROM emp GROUP BY deptno
