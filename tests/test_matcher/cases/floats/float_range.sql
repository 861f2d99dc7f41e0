-- Doubles are ordered.
-- v: match
CREATE VIEW v AS SELECT ename, rate FROM emp WHERE rate > 1.0;
SELECT ename FROM emp WHERE rate > 1.5
