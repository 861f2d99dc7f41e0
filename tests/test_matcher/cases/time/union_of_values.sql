-- A union of values has a value once only: when it comes again, nothing is inserted.
-- schema: events
-- v: no TIME.NOT_CONTAINED
CREATE VIEW Values1 AS SELECT Temperature FROM R(TempStr) WHERE Temperature > 120;
CREATE VIEW AllValues AS SELECT Temperature FROM R(TempStr) WHERE Temperature > 120 UNION SELECT Level FROM R(NoiseStr);
CREATE VIEW v AS SELECT RoomID, Temperature FROM R[AllValues](RoomTempStr);
SELECT RoomID FROM R[Values1](RoomTempStr)
