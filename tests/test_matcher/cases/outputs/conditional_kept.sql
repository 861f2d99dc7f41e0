-- The view's own CASE.
-- v: match
CREATE VIEW v AS SELECT CASE WHEN sal > 3 THEN 'high' ELSE 'low' END AS level FROM emp;
SELECT CASE WHEN sal > 3 THEN 'high' ELSE 'low' END AS l FROM emp
