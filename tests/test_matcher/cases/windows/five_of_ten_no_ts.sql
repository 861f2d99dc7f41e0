-- The view does not keep TS.
-- schema: rooms
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT CarID, CarType FROM R(S1) WHERE Now - 10 < TS AND TS <= Now;
SELECT CarID FROM R(S1) WHERE Now - 5 < TS AND TS <= Now
