-- The same sum, written the other way round.
-- v: match
CREATE VIEW v AS SELECT sal + comm AS total FROM emp;
SELECT comm + sal AS t FROM emp
