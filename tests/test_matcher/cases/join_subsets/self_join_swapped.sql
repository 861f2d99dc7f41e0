-- The condition is on the other copy.
-- v: match
CREATE VIEW v AS SELECT a.ename AS n1, b.ename AS n2, b.sal AS s2 FROM emp a JOIN emp b ON a.sal < b.sal;
SELECT y.ename AS big, x.ename AS small FROM emp x JOIN emp y ON y.sal < x.sal WHERE x.sal > 3
