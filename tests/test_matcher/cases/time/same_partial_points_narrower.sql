-- schema: rooms
-- Both read each relation under the same stream, so the view has the query's states between the common points too.
-- v: match
-- uses: v
CREATE VIEW v AS SELECT a.CarID, b.CarType FROM R[Sync2](S1) a JOIN R[Sync3](S2) b ON a.CarID = b.CarID;
SELECT x.CarID FROM R[Sync2](S1) x JOIN R[Sync3](S2) y ON x.CarID = y.CarID WHERE y.CarType = 'van'
