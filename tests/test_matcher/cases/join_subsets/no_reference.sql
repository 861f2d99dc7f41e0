-- No constraint says that a sale has an employee.
-- v: no TABLES.EXTRA
CREATE VIEW v AS SELECT s.item, s.qty FROM sale s JOIN emp e ON s.empno = e.empno;
SELECT item FROM sale
