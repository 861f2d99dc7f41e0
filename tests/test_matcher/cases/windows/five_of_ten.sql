-- A window of 5 from a window of 10.
-- schema: rooms
-- v: match
CREATE VIEW v AS SELECT CarID, CarType, TS AS at FROM R(S1) WHERE Now - 10 < TS AND TS <= Now;
SELECT CarID FROM R(S1) WHERE Now - 5 < TS AND TS <= Now
