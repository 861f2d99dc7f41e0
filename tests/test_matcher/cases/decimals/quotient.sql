-- A quotient of decimals is rounded, which is not modelled: neither yes nor no.
-- v: unknown
CREATE VIEW v AS SELECT ename, pay FROM emp WHERE pay / 3 > 1.0;
SELECT ename FROM emp WHERE pay > 4.00
