-- A filter above.
-- v: match
CREATE VIEW v AS SELECT deptno FROM emp INTERSECT SELECT deptno FROM sale;
SELECT deptno FROM (SELECT deptno FROM emp INTERSECT SELECT deptno FROM sale) q WHERE deptno > 2
