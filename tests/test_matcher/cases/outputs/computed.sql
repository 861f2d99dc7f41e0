-- An expression from its columns.
-- v: match
CREATE VIEW v AS SELECT sal, comm FROM emp;
SELECT sal + comm AS total FROM emp
