-- To how many digits a quotient is rounded depends on those of both operands.
-- schema: types
-- v: unknown
CREATE VIEW v AS SELECT id FROM x WHERE m / n > 0.333333333333;
SELECT id FROM x WHERE m = k AND k / n > 0.333333333333
