-- A left join on a key neither adds nor removes rows.
-- v: match
CREATE VIEW v AS SELECT s.item, s.qty, e.ename FROM sale s LEFT JOIN emp e ON s.empno = e.empno;
SELECT item FROM sale WHERE qty > 2
