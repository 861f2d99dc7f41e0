-- One side of it has one stream and can be replaced.
-- schema: rooms
-- v: match
CREATE VIEW v AS SELECT RoomID, Temperature FROM R(RoomTempStr) WHERE Temperature > 1;
SELECT a.RoomID FROM R[Sync2](RoomTempStr) a JOIN R[Sync3](TempStr) b ON a.RoomID = b.RoomID WHERE a.Temperature > 2
