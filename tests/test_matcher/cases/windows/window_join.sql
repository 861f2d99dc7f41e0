-- Rows at most 5 apart, from rows at most 10 apart.
-- schema: rooms
-- v: match
CREATE VIEW v AS SELECT a.CarID AS c1, b.CarID AS c2, a.TS AS t1, b.TS AS t2 FROM R(S1) a JOIN R(S2) b ON a.TS - b.TS < 10 AND b.TS - a.TS < 10;
SELECT a.CarID, b.CarID AS other FROM R(S1) a JOIN R(S2) b ON a.TS - b.TS < 5 AND b.TS - a.TS < 5
