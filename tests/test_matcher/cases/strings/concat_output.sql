-- Concatenation of columns that are there.
-- v: match
CREATE VIEW v AS SELECT ename, city FROM emp JOIN dept ON emp.deptno = dept.deptno;
SELECT concat(ename, city) AS x FROM emp JOIN dept ON emp.deptno = dept.deptno
