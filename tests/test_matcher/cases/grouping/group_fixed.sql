-- A grouping column that the condition fixes.
-- v: match
CREATE VIEW v AS SELECT deptno, active, count(*) AS n FROM emp GROUP BY deptno, active;
SELECT active, count(*) AS n FROM emp WHERE deptno = 3 GROUP BY active
