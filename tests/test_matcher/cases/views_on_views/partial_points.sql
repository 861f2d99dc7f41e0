-- schema: rooms
-- A view with states between its common points can be read by another view, and both by a query over it.
-- v: match
-- w: match
-- uses: w
CREATE VIEW v AS SELECT a.CarID, b.CarType FROM R[Sync2](S1) a JOIN R[Sync3](S2) b ON a.CarID = b.CarID;
CREATE VIEW w AS SELECT CarID, CarType FROM R(v) WHERE CarType > 'b';
SELECT CarID FROM R(v) WHERE CarType > 'c'
