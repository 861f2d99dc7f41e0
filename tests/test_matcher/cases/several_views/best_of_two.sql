-- The narrower of two.
-- uses: w
-- v: match
-- w: match
CREATE VIEW v AS SELECT empno, sal FROM emp WHERE sal > 1;
CREATE VIEW w AS SELECT empno, sal FROM emp WHERE sal > 3 AND deptno > 0;
SELECT empno FROM emp WHERE sal > 5 AND deptno > 0
