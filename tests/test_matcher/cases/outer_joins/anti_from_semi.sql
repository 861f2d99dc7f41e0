-- Those with and those without.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT d.dname FROM dept d LEFT SEMI JOIN emp e ON d.deptno = e.deptno;
SELECT d.dname FROM dept d LEFT ANTI JOIN emp e ON d.deptno = e.deptno
