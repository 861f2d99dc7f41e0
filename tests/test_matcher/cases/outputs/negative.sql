-- A number from its negative.
-- v: match
CREATE VIEW v AS SELECT -comm AS m FROM emp;
SELECT comm FROM emp
