-- IF is CASE.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal > 3;
SELECT ename FROM emp WHERE IF(sal > 5, 1, 0) = 1
