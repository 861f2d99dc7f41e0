-- MIN and MAX of doubles are exact.
-- v: match
CREATE VIEW v AS SELECT deptno, active, max(rate) AS s, min(rate) AS t FROM emp GROUP BY deptno, active;
SELECT deptno, max(rate) AS s, min(rate) AS t FROM emp GROUP BY deptno
