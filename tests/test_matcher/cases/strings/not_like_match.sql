-- Disjoint patterns.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename NOT LIKE 'a%';
SELECT sal FROM emp WHERE ename LIKE 'b%'
