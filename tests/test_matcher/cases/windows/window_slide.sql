-- Range 5 and slide 2, from range 10 at every tick.
-- schema: rooms
-- v: match
CREATE VIEW v AS SELECT CarID, TS AS at FROM R(S1) WHERE Now - 10 < TS AND TS <= Now;
SELECT R.CarID FROM R[Sync2](S1) R, R(TwoUnitsSlide) N WHERE N.currTime - 5 < R.TS AND R.TS <= N.currTime
