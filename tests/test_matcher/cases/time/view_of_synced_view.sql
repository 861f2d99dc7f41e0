-- A view that is read more coarsely than it is refreshed.
-- schema: rooms
-- w: match
CREATE VIEW v AS SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr);
CREATE VIEW w AS SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr) WHERE Temperature > 1;
SELECT RoomID FROM R[Sync4](v) WHERE Temperature > 2
