-- DISTINCT of an expression.
-- v: match
CREATE VIEW v AS SELECT DISTINCT sal, comm FROM emp;
SELECT DISTINCT sal + 1 AS x FROM emp
