-- An expression that the view has computed.
-- v: match
CREATE VIEW v AS SELECT sal + comm AS total FROM emp;
SELECT sal + comm AS t FROM emp
