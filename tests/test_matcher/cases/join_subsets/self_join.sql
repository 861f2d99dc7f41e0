-- A self-join maps either way.
-- v: match
CREATE VIEW v AS SELECT a.ename AS n1, b.ename AS n2, a.sal AS s1, b.sal AS s2 FROM emp a JOIN emp b ON a.deptno = b.deptno;
SELECT x.ename, y.ename AS other FROM emp x JOIN emp y ON x.deptno = y.deptno WHERE x.sal > 4
