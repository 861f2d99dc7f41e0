-- length is some function.
-- v: match
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE length(ename) > 1;
SELECT sal FROM emp WHERE length(ename) > 2
