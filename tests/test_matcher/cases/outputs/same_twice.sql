-- A column may be asked for twice.
-- v: match
CREATE VIEW v AS SELECT sal, empno FROM emp;
SELECT sal AS a, sal AS b FROM emp
