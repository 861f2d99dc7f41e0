-- WITH is a derived table.
-- v: match
CREATE VIEW v AS SELECT ename, sal, deptno FROM emp WHERE sal > 1;
WITH rich AS (SELECT ename, sal FROM emp WHERE sal > 5) SELECT ename FROM rich
