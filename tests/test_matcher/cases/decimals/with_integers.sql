-- An integer next to a decimal has no digits behind the point.
-- v: match
CREATE VIEW v AS SELECT ename, pay, sal FROM emp WHERE pay + sal > 10;
SELECT ename FROM emp WHERE pay > 10.50 AND sal >= 0
