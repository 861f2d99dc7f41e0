-- A longer IN list.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal IN (1, 2);
SELECT ename FROM emp WHERE sal IN (1, 2, 3)
