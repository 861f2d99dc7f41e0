-- A window of 10 from a window of 5.
-- schema: rooms
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT CarID, CarType, TS AS at FROM R(S1) WHERE Now - 5 < TS AND TS <= Now;
SELECT CarID FROM R(S1) WHERE Now - 10 < TS AND TS <= Now
