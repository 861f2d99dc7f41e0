-- A join on an inequality.
-- v: match
CREATE VIEW v AS SELECT e.ename, s.item, s.qty, e.sal FROM emp e JOIN sale s ON e.sal > s.price;
SELECT e.ename, s.item FROM emp e, sale s WHERE s.price < e.sal AND s.qty > 2
