-- A column that the condition fixes need not be kept.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp;
SELECT ename, sal, 7 AS seven FROM emp WHERE sal = 3
