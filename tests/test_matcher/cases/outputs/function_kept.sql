-- What the view has computed with it.
-- v: match
CREATE VIEW v AS SELECT initcap(ename) AS n FROM emp;
SELECT initcap(ename) AS m FROM emp
