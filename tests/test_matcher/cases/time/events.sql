-- A tighter event is contained in a wider one.
-- schema: events
-- v: match
CREATE VIEW v AS SELECT RoomID, Temperature FROM R[Warm](RoomTempStr);
SELECT RoomID FROM R[Hot](RoomTempStr)
