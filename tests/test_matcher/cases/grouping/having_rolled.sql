-- HAVING after the roll-up.
-- v: match
CREATE VIEW v AS SELECT deptno, active, count(*) AS n FROM emp GROUP BY deptno, active;
SELECT deptno FROM emp GROUP BY deptno HAVING count(*) > 1
