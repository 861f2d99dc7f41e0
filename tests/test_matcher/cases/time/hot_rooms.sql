-- Example 4: Q4 onto HotRooms1.
-- schema: rooms
-- v: match
CREATE VIEW v AS SELECT RoomID, Temperature FROM R(RoomTempStr) R WHERE R.Temperature > 80;
SELECT STREAMED RoomID, Temperature FROM R(RoomTempStr) R WHERE R.Temperature > 100
