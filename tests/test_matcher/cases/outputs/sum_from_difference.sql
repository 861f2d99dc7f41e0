-- The sum may fit where a part of it does not, so it is computed as BIGINT.
-- v: match
CREATE VIEW v AS SELECT sal - qty AS d, qty FROM emp JOIN sale ON emp.empno = sale.empno;
SELECT sal + qty AS s FROM emp JOIN sale ON emp.empno = sale.empno
