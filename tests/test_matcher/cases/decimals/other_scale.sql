-- Times 1.0 is another number of digits behind the point, which shows.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT ename, pay * 1.0 AS p FROM emp;
SELECT ename, pay FROM emp
