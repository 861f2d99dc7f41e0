-- A mixture from one of its parts.
-- schema: events
-- v: no TIME.NOT_CONTAINED
CREATE VIEW v AS SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr);
SELECT RoomID FROM R[WarmOr2](RoomTempStr)
