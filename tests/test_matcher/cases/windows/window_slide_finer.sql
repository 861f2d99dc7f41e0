-- Every tick from a slide of 2.
-- schema: rooms
-- v: no TIME.NOT_CONTAINED
CREATE VIEW v AS SELECT R.CarID, R.TS AS at FROM R[Sync2](S1) R, R(TwoUnitsSlide) N WHERE N.currTime - 10 < R.TS AND R.TS <= N.currTime;
SELECT CarID FROM R(S1) WHERE Now - 5 < TS AND TS <= Now
