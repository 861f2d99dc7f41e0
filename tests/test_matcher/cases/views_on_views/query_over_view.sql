-- A query over a view, from another one.
-- w: match
CREATE VIEW v AS SELECT empno, ename, sal FROM emp WHERE sal > 1;
CREATE VIEW w AS SELECT ename, sal FROM emp WHERE sal > 0;
SELECT ename FROM v WHERE sal > 5
