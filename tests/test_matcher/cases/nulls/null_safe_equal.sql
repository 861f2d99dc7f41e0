-- <=> keeps both NULL.
-- v: match
CREATE VIEW v AS SELECT ename, sal, comm FROM emp WHERE sal <=> comm;
SELECT ename FROM emp WHERE sal = comm
