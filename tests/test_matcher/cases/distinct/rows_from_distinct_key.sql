-- With a key there are no duplicates.
-- v: match
CREATE VIEW v AS SELECT DISTINCT empno, ename FROM emp;
SELECT empno, ename FROM emp WHERE empno > 2
