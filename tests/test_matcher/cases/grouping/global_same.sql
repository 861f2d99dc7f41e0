-- No groups in both.
-- v: match
CREATE VIEW v AS SELECT count(*) AS n, sum(sal) AS s FROM emp;
SELECT count(*) AS n FROM emp
