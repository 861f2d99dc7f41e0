-- An event or every 2nd tick.
-- schema: events
-- v: match
CREATE VIEW v AS SELECT RoomID, Temperature FROM R[WarmOr2](RoomTempStr);
SELECT RoomID FROM R[Hot](RoomTempStr)
