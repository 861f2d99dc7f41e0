-- Another function of the same column.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT upper(ename) AS n FROM emp;
SELECT lower(ename) AS n FROM emp
