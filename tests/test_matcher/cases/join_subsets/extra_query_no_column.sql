-- The join column is not kept.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT e.ename, e.sal FROM emp e WHERE e.sal > 2;
SELECT e.ename, s.item FROM emp e JOIN sale s ON e.empno = s.empno WHERE e.sal > 3
