-- At the points of Sync2 the view is only partly up to date.
-- schema: rooms
-- v: no TIME.NOT_CONTAINED
CREATE VIEW v AS SELECT a.RoomID, b.Temperature FROM R[Sync2](RoomTempStr) a JOIN R[Sync3](TempStr) b ON a.RoomID = b.RoomID;
SELECT a.RoomID FROM R[Sync2](RoomTempStr) a JOIN R[Sync2](TempStr) b ON a.RoomID = b.RoomID
