-- upper(x) = 'AB' does not say that x = 'AB'.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename = 'AB';
SELECT sal FROM emp WHERE upper(ename) = 'AB'
