-- NOT turned round.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE sal >= 3;
SELECT ename FROM emp WHERE NOT (sal < 5)
