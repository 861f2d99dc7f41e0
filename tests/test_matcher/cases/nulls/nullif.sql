-- NULLIF.
-- v: match
CREATE VIEW v AS SELECT ename, sal, comm FROM emp;
SELECT nullif(sal, comm) AS x FROM emp
