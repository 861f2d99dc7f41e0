-- One copy is not two.
-- v: no TABLES.EXTRA
CREATE VIEW v AS SELECT a.ename AS n1, b.ename AS n2 FROM emp a JOIN emp b ON a.deptno = b.deptno;
SELECT ename FROM emp
