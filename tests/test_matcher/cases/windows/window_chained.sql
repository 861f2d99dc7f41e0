-- The paper's chained comparison.
-- schema: rooms
-- v: match
CREATE VIEW v AS SELECT CarID, TS AS at FROM R(S1) WHERE Now - 10 < TS <= Now;
SELECT CarID FROM R(S1) WHERE Now - 5 < TS <= Now
