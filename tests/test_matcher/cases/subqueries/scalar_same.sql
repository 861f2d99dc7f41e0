-- The same single value.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal > (SELECT avg(amount) FROM bonus);
SELECT ename FROM emp WHERE sal > (SELECT avg(amount) FROM bonus) AND sal < 8
