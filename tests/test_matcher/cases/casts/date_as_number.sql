-- A date and the number of its day are the same to the solver, and not to a function.
-- schema: types
-- v: unknown
CREATE VIEW v AS SELECT id, i FROM x WHERE CAST(i AS STRING) = '2024-01-01';
SELECT id FROM x WHERE day = DATE '2024-01-01' AND i = 19723 AND CAST(day AS STRING) = '2024-01-01'
