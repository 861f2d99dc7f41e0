-- A stream without a key.
-- schema: rooms
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT RoomID FROM R(TempStr);
SELECT RoomID, Temperature FROM R(TempStr)
