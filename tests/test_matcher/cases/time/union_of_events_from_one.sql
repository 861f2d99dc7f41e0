-- Not all points of the union are points of one of its streams.
-- schema: events
-- v: no TIME.NOT_CONTAINED
CREATE VIEW HotOrLoud AS SELECT TS FROM R(Hot) UNION SELECT TS FROM R(Loud);
CREATE VIEW v AS SELECT RoomID, Temperature FROM R[Warm](RoomTempStr);
SELECT RoomID FROM R[HotOrLoud](RoomTempStr)
