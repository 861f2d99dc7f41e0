-- FILTER is CASE.
-- v: match
CREATE VIEW v AS SELECT deptno, active, count(*) FILTER (WHERE sal > 3) AS n FROM emp GROUP BY deptno, active;
SELECT deptno, count(CASE WHEN sal > 3 THEN 1 END) AS n FROM emp GROUP BY deptno
