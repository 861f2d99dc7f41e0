-- COUNT of a column that is never NULL counts rows.
-- v: match
CREATE VIEW v AS SELECT deptno, active, count(empno) AS n FROM emp GROUP BY deptno, active;
SELECT deptno, count(*) AS n FROM emp GROUP BY deptno
