-- What is shown is computed again.
-- v: match
CREATE VIEW v AS SELECT ename, pay FROM emp;
SELECT ename, pay * 2 + 1.5 AS p FROM emp WHERE pay * 2 > 3
