-- A left join that may multiply rows.
-- v: no TABLES.EXTRA
CREATE VIEW v AS SELECT e.ename, s.item FROM emp e LEFT JOIN sale s ON e.empno = s.empno;
SELECT ename FROM emp
