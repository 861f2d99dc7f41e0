-- CASE over columns that are there.
-- v: match
CREATE VIEW v AS SELECT sal, comm FROM emp;
SELECT CASE WHEN sal > comm THEN 'more' ELSE 'less' END AS w FROM emp
