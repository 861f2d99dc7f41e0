-- A column that is not there.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT ename FROM emp;
SELECT ename, comm FROM emp
