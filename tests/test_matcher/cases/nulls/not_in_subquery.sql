-- NOT IN of a subquery with its NULL rules, the same in both.
-- v: match
CREATE VIEW v AS SELECT ename, sal, empno FROM emp WHERE empno NOT IN (SELECT empno FROM bonus);
SELECT ename FROM emp WHERE empno NOT IN (SELECT empno FROM bonus) AND sal > 1
