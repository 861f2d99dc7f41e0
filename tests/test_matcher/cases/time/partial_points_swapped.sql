-- schema: rooms
-- The same two streams, and each relation under the other one.
-- v: no TIME.PARTIAL_POINTS
CREATE VIEW v AS SELECT a.CarID, b.CarType FROM R[Sync2](S1) a JOIN R[Sync3](S2) b ON a.CarID = b.CarID;
SELECT x.CarID FROM R[Sync3](S1) x JOIN R[Sync2](S2) y ON x.CarID = y.CarID WHERE y.CarType = 'van'
