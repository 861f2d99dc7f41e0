-- A narrower range is a filter on the view.
-- v: match
CREATE VIEW v AS SELECT empno, sal FROM emp WHERE sal > 3;
SELECT empno FROM emp WHERE sal > 5
