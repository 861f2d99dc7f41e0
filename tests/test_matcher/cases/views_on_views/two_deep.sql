-- A view over a view.
-- v: match
-- w: match
CREATE VIEW v AS SELECT empno, ename, sal FROM emp WHERE sal > 1;
CREATE VIEW w AS SELECT empno, sal FROM v WHERE sal > 3;
SELECT empno FROM emp WHERE sal > 5
