-- Another subquery.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE empno IN (SELECT empno FROM bonus);
SELECT ename FROM emp WHERE empno IN (SELECT empno FROM sale)
