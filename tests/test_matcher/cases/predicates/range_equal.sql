-- The same range needs no filter.
-- v: match
CREATE VIEW v AS SELECT empno, sal FROM emp WHERE sal > 5;
SELECT empno FROM emp WHERE sal > 5
