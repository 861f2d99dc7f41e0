-- A function that is not modelled.
-- v: match
CREATE VIEW v AS SELECT ename, empno FROM emp;
SELECT initcap(ename) AS n FROM emp WHERE empno > 1
