-- Over integers, sal > 4 is sal >= 5.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal > 4;
SELECT ename FROM emp WHERE sal >= 5
