-- Arithmetic across columns.
-- v: match
CREATE VIEW v AS SELECT ename, sal, comm FROM emp WHERE sal + comm > 5;
SELECT ename FROM emp WHERE sal > 4 AND comm > 2
