-- A sum with a NULL in it does not tell the other summand.
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT sal + comm AS total, comm FROM emp;
SELECT sal FROM emp
