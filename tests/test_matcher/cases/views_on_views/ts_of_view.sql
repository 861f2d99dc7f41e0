-- The TS of a view's row is when it came out, not when it came in.
-- schema: rooms
-- w: no TABLES.DIFFERENT
CREATE VIEW v AS SELECT RoomID, Temperature FROM R(RoomTempStr) WHERE Temperature > 1;
CREATE VIEW w AS SELECT RoomID, TS FROM R(RoomTempStr);
SELECT RoomID FROM R(v) WHERE TS > 5
