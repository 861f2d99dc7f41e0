-- Groups by an exact sum of decimals.
-- v: match
CREATE VIEW v AS SELECT pay, sal, count(*) AS n FROM emp GROUP BY pay, sal;
SELECT pay + sal AS p, count(*) AS n FROM emp WHERE pay + 1 > 2.5 GROUP BY pay + sal
