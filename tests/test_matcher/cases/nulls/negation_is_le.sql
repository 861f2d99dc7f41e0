-- NOT (sal > 3) is sal <= 3.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal <= 3;
SELECT ename FROM emp WHERE NOT (sal > 3)
