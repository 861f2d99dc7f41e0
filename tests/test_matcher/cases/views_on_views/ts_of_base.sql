-- The TS of the base, kept by the view.
-- schema: rooms
-- v: match
CREATE VIEW v AS SELECT RoomID, Temperature, TS AS at FROM R(RoomTempStr);
SELECT RoomID FROM R(RoomTempStr) WHERE TS > 5
