-- CASE in a condition.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal > 2;
SELECT ename FROM emp WHERE CASE WHEN sal > 3 THEN 1 ELSE 0 END = 1
