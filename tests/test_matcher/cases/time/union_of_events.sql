-- A view that is refreshed at the points of either stream.
-- schema: events
-- v: match
CREATE VIEW HotOrLoud AS SELECT TS FROM R(Hot) UNION SELECT TS FROM R(Loud);
CREATE VIEW v AS SELECT RoomID, Temperature FROM R[HotOrLoud](RoomTempStr);
SELECT RoomID FROM R[Hot](RoomTempStr)
