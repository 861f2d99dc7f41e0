-- The key of a stream.
-- schema: rooms
-- v: match
CREATE VIEW v AS SELECT RoomID FROM R(RoomTempStr);
SELECT RoomID, Temperature FROM R(RoomTempStr) WHERE Temperature > 3
