-- Before its time a count is 0, not missing.
-- schema: rooms
-- v: match
CREATE VIEW v AS SELECT count(*) AS n FROM R(S1);
SELECT count(*) AS n FROM R(S1) WHERE Now > 99
