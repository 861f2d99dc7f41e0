-- A count is 0 from the first point of the query on; under Odd the view has no row at 0.
-- schema: rooms
-- v: no TIME.PARTIAL_POINTS
CREATE VIEW v AS SELECT count(*) AS n FROM R(RoomTempStr);
SELECT t.RoomID, x.n FROM R(TempStr) t CROSS JOIN (SELECT count(*) AS n FROM R[Odd](RoomTempStr)) x
