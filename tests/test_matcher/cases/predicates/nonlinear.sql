-- A product of two factors above one.
-- v: match
CREATE VIEW v AS SELECT ename, sal, comm FROM emp WHERE sal * comm > 0;
SELECT ename FROM emp WHERE sal > 0 AND comm > 0
