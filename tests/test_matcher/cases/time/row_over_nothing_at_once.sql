-- Sync2 has its first point at once, as has the query.
-- schema: rooms
-- v: match part
CREATE VIEW v AS SELECT count(*) AS n FROM R(RoomTempStr);
SELECT t.RoomID, x.n FROM R(TempStr) t CROSS JOIN (SELECT count(*) AS n FROM R[Sync2](RoomTempStr)) x
