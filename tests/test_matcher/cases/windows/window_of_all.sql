-- A window from everything.
-- schema: rooms
-- v: match
CREATE VIEW v AS SELECT CarID, TS AS at FROM R(S1);
SELECT CarID FROM R(S1) WHERE Now - 5 < TS AND TS <= Now
