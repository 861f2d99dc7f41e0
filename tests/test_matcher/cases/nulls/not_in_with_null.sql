-- x NOT IN (…, NULL) is never true.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal > 100;
SELECT ename FROM emp WHERE sal NOT IN (1, NULL)
