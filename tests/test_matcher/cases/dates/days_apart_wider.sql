-- The 10th is nine days after the 1st.
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT ename, hired FROM emp WHERE datediff(hired, DATE '2024-01-01') >= 10;
SELECT ename FROM emp WHERE hired >= DATE '2024-01-10'
