-- A view without groups has a row even over nothing.
-- v: no GROUPING.EMPTY
CREATE VIEW v AS SELECT count(*) AS n FROM emp WHERE deptno = 3;
SELECT deptno, count(*) AS n FROM emp WHERE deptno = 3 GROUP BY deptno
