-- The same window by NowView.
-- schema: rooms
-- v: match
CREATE VIEW v AS SELECT CarID, TS AS at FROM R(S1) WHERE Now - 10 < TS AND TS <= Now;
SELECT R.CarID FROM R(S1) R, R(NowView) N WHERE N.currTime - 5 < R.TS AND R.TS <= N.currTime
