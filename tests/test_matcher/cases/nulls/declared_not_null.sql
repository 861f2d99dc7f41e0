-- IS NOT NULL of such a column is always true.
-- v: match
CREATE VIEW v AS SELECT ename, deptno FROM emp WHERE deptno IS NOT NULL;
SELECT ename FROM emp
