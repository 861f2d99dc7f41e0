-- A left join has the rows without a partner.
-- v: match
CREATE VIEW v AS SELECT d.dname, d.budget, e.empno FROM dept d LEFT JOIN emp e ON e.deptno = d.deptno;
SELECT d.dname FROM dept d WHERE NOT EXISTS (SELECT 1 FROM emp e WHERE e.deptno = d.deptno) AND d.budget > 3
