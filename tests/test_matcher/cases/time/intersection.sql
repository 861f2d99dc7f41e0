-- Sync6 is where Sync2 and Sync3 meet.
-- schema: rooms
-- v: match
CREATE VIEW v AS SELECT a.RoomID, b.Temperature FROM R[Sync2](RoomTempStr) a JOIN R[Sync3](TempStr) b ON a.RoomID = b.RoomID;
SELECT a.RoomID FROM R[Sync6](RoomTempStr) a JOIN R[Sync6](TempStr) b ON a.RoomID = b.RoomID
