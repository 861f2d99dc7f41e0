-- IS DISTINCT FROM.
-- v: match
CREATE VIEW v AS SELECT ename, sal, comm FROM emp WHERE NOT (sal <=> comm);
SELECT ename FROM emp WHERE sal IS DISTINCT FROM comm AND sal > 2
