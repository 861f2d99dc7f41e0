-- A projection.
-- v: match
CREATE VIEW v AS SELECT empno, ename, sal FROM emp;
SELECT ename FROM emp
