-- Both streams of the union have their points among those of a wider one.
-- schema: events
-- v: match
CREATE VIEW AllOf AS SELECT TS FROM R(TempStr);
CREATE VIEW HotOrCold AS SELECT TS FROM R(Hot) UNION SELECT TS FROM R(TempStr) WHERE Temperature < 0;
CREATE VIEW v AS SELECT RoomID, Temperature FROM R[AllOf](RoomTempStr);
SELECT RoomID FROM R[HotOrCold](RoomTempStr)
