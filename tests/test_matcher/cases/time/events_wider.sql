-- A wider event is not.
-- schema: events
-- v: no TIME.NOT_CONTAINED
CREATE VIEW v AS SELECT RoomID, Temperature FROM R[Hot](RoomTempStr);
SELECT RoomID FROM R[Warm](RoomTempStr)
