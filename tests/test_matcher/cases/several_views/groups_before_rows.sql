-- Groups have fewer rows.
-- uses: w
-- v: match
-- w: match
CREATE VIEW v AS SELECT deptno, sal FROM emp;
CREATE VIEW w AS SELECT deptno, count(*) AS n FROM emp GROUP BY deptno;
SELECT deptno, count(*) AS n FROM emp GROUP BY deptno
