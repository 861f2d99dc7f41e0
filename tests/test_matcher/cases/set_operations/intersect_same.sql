-- The same INTERSECT.
-- v: match
CREATE VIEW v AS SELECT deptno FROM emp INTERSECT SELECT deptno FROM sale;
SELECT deptno FROM emp INTERSECT SELECT deptno FROM sale
