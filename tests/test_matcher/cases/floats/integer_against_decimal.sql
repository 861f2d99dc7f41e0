-- sal > 2.5 is sal > 2 over integers.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal > 2.5;
SELECT ename FROM emp WHERE sal >= 3
