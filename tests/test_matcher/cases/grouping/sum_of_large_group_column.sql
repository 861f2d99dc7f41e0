-- A group's part of the sum may be larger than the sum, and than a BIGINT.
-- v: match
CREATE VIEW v AS SELECT CAST(sal AS BIGINT) AS b, count(*) AS n FROM emp GROUP BY CAST(sal AS BIGINT);
SELECT sum(CAST(sal AS BIGINT)) AS s FROM emp
