-- The ticks of a mixture.
-- schema: events
-- v: match
CREATE VIEW v AS SELECT RoomID, Temperature FROM R[WarmOr2](RoomTempStr);
SELECT RoomID FROM R[Sync4](RoomTempStr)
