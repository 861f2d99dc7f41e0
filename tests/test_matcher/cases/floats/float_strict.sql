-- Between two doubles there may be another one.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, rate FROM emp WHERE rate > 1.5;
SELECT ename FROM emp WHERE rate >= 1.5
