-- A column that may be NULL does not tell who has a partner.
-- v: no JOIN.KIND
CREATE VIEW v AS SELECT d.dname, e.ename FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno;
SELECT d.dname, e.ename FROM dept d JOIN emp e ON d.deptno = e.deptno
