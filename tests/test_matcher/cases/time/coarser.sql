-- Example 19: every 4th tick from every 2nd.
-- schema: rooms
-- v: match
CREATE VIEW v AS SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr) WHERE Temperature > 8;
SELECT RoomID, Temperature FROM R[Sync4](RoomTempStr) WHERE Temperature > 10
