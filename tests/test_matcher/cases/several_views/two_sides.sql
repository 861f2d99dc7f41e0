-- Each view answers a side of the join.
-- uses: v, w
-- v: match
-- w: match
CREATE VIEW v AS SELECT empno, ename, sal FROM emp WHERE sal > 3;
CREATE VIEW w AS SELECT item, empno, qty FROM sale WHERE qty > 2;
SELECT e.ename, s.item FROM emp e JOIN sale s ON e.empno = s.empno WHERE e.sal > 4 AND s.qty > 3
