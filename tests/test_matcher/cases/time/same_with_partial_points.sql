-- schema: rooms
-- The same query shows the same states between the common points.
-- v: match
CREATE VIEW v AS SELECT a.CarID, b.CarType FROM R[Sync2](S1) a JOIN R[Sync3](S2) b ON a.CarID = b.CarID;
SELECT x.CarID, y.CarType FROM R[Sync2](S1) x JOIN R[Sync3](S2) y ON x.CarID = y.CarID
