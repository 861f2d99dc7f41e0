-- COUNT from COUNT.
-- v: match
CREATE VIEW v AS SELECT deptno, active, count(*) AS n FROM emp GROUP BY deptno, active;
SELECT deptno, count(*) AS n FROM emp GROUP BY deptno
