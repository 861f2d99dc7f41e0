-- Each view answers a branch.
-- uses: v, w
-- v: match part
-- w: match part
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal > 3;
CREATE VIEW w AS SELECT dname, budget FROM dept WHERE budget > 3;
SELECT ename AS n FROM emp WHERE sal > 5 UNION ALL SELECT dname FROM dept WHERE budget > 5
