-- A product of columns is the same product.
-- v: match
CREATE VIEW v AS SELECT ename, pay, sal FROM emp WHERE pay * sal > 10;
SELECT ename FROM emp WHERE pay * sal > 20
