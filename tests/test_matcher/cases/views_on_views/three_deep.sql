-- Three views over one another.
-- v: match
-- w: match
-- x: match
CREATE VIEW v AS SELECT empno, ename, sal, deptno FROM emp;
CREATE VIEW w AS SELECT empno, sal, deptno FROM v WHERE deptno > 1;
CREATE VIEW x AS SELECT empno, sal FROM w WHERE deptno > 2;
SELECT empno FROM emp WHERE deptno > 2 AND sal > 4
