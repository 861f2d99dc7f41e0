-- The view compares two columns the same way.
-- v: match
CREATE VIEW v AS SELECT ename, sal, comm FROM emp WHERE sal > comm;
SELECT ename FROM emp WHERE comm < sal AND sal > 4
