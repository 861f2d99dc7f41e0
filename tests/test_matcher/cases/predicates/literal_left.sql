-- The constant on the left.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE 3 < sal;
SELECT ename FROM emp WHERE 5 < sal
