-- For a column that is never NULL COUNT(*) will do.
-- v: match
CREATE VIEW v AS SELECT active, sal, sum(empno) AS s, count(*) AS n FROM emp GROUP BY active, sal;
SELECT active, avg(empno) AS m FROM emp GROUP BY active
