-- The view's own TS is another one.
-- schema: rooms
-- v: no COLUMN.MISSING
CREATE VIEW v AS SELECT RoomID, Temperature FROM R(TempStr);
SELECT RoomID FROM R(TempStr) WHERE TS > 5
