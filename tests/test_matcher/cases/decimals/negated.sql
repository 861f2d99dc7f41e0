-- Signs turn around.
-- v: match
CREATE VIEW v AS SELECT ename, pay FROM emp WHERE -pay < 1.00;
SELECT ename FROM emp WHERE abs(pay) < 0.50
