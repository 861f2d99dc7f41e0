-- Every tick from every 2nd.
-- schema: rooms
-- v: no TIME.NOT_CONTAINED
CREATE VIEW v AS SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr);
SELECT RoomID FROM R(RoomTempStr)
