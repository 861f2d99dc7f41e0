-- COALESCE in a condition.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE coalesce(sal, 0) >= 0;
SELECT ename FROM emp WHERE sal > 1
