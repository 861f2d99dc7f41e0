-- The rows are those of a derived table, which the rest reads too.
-- rest: v
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS
SELECT empno, sal FROM (SELECT empno, sal FROM emp UNION ALL SELECT empno, amount FROM bonus) x WHERE sal > 2;
SELECT sal FROM (SELECT empno, sal FROM emp UNION ALL SELECT empno, amount FROM bonus) x
