-- Any stream from every tick.
-- schema: rooms
-- v: match
CREATE VIEW v AS SELECT RoomID, Temperature FROM R(RoomTempStr);
SELECT RoomID FROM R[Sync3](RoomTempStr)
