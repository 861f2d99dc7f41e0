-- Only one of them matches.
-- uses: v
-- v: match
-- w: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT empno, sal FROM emp WHERE sal > 1;
CREATE VIEW w AS SELECT empno, sal FROM emp WHERE sal > 9;
SELECT empno FROM emp WHERE sal > 5
