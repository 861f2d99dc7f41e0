-- Strings in code point order.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename > 'a';
SELECT sal FROM emp WHERE ename > 'ab'
