-- schema: rooms
-- The window slides at every tick over rows that come at every second: both have the same at all of them.
-- v: match
-- uses: v
CREATE VIEW v AS SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr) WHERE TS > Now - 5;
SELECT RoomID FROM R[Sync2](RoomTempStr) WHERE TS > Now - 5 AND Temperature > 3
