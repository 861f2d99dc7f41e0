-- Every 2nd tick from every 4th.
-- schema: rooms
-- v: no TIME.NOT_CONTAINED
CREATE VIEW v AS SELECT RoomID, Temperature FROM R[Sync4](RoomTempStr) WHERE Temperature > 8;
SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr) WHERE Temperature > 10
