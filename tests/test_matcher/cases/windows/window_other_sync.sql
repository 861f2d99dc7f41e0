-- A window that ticks at Sync2 over a stream that is read at every tick.
-- schema: rooms
-- v: no ROWS.NOT_CONTAINED
CREATE VIEW v AS SELECT CarID, TS AS at FROM R(S1) WHERE Now - 10 < TS AND TS <= Now;
SELECT R.CarID FROM R(S1) R, R(TwoUnitsSlide) N WHERE N.currTime - 5 < R.TS AND R.TS <= N.currTime
