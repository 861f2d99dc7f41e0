-- The query itself shows partial states, which the view never has.
-- schema: rooms
-- v: no TIME.PARTIAL_POINTS
CREATE VIEW v AS SELECT a.RoomID, b.Temperature FROM R(RoomTempStr) a JOIN R(TempStr) b ON a.RoomID = b.RoomID;
SELECT a.RoomID FROM R[Sync2](RoomTempStr) a JOIN R[Sync3](TempStr) b ON a.RoomID = b.RoomID
