-- One side of an OR.
-- v: match
CREATE VIEW v AS SELECT ename, sal, comm FROM emp WHERE sal > 5 OR comm > 5;
SELECT ename FROM emp WHERE comm > 5
