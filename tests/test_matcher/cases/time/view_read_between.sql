-- Between its points a view shows its last state, which the base does not.
-- schema: rooms
-- w: no TABLES.DIFFERENT
CREATE VIEW v AS SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr);
CREATE VIEW w AS SELECT RoomID, Temperature FROM R(RoomTempStr);
SELECT RoomID FROM R[Sync3](v)
