-- Different filters cannot be told apart above the union.
-- v: no SHAPE.DIFFERENT
CREATE VIEW v AS SELECT sal AS n FROM emp UNION ALL SELECT budget FROM dept;
SELECT sal AS n FROM emp WHERE sal > 3 UNION ALL SELECT budget FROM dept WHERE budget > 5
