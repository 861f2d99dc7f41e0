-- An aggregate that cannot be put together again.
-- v: no AGGREGATE.NOT_DIVISIBLE
CREATE VIEW v AS SELECT count(DISTINCT sal) AS n FROM emp;
SELECT count(DISTINCT sal) AS n FROM emp WHERE 1 = 2
