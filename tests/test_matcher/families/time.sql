-- Synchronization: arithmetic and by events, windows, partial and full points, views over views.
SELECT RoomID, Temperature FROM R(RoomTempStr)
SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr)
SELECT RoomID, Temperature FROM R[Sync4](RoomTempStr) WHERE Temperature > 8
SELECT RoomID, Temperature FROM R[Sync3](RoomTempStr) WHERE Temperature > 2
SELECT RoomID, Temperature FROM R[Sync6](RoomTempStr) WHERE Temperature > 8
SELECT RoomID, Temperature FROM R[Hot](RoomTempStr)
SELECT RoomID, Temperature FROM R[Warm](RoomTempStr)
SELECT RoomID, Temperature FROM R[WarmOr2](RoomTempStr)
SELECT RoomID, Temperature FROM R[Loud](RoomTempStr)
SELECT RoomID, Temperature, TS AS at FROM R(RoomTempStr)
SELECT RoomID, Temperature, TS AS at FROM R[Sync2](RoomTempStr)
SELECT RoomID, Temperature, TS AS at FROM R[Sync2](TempStr)
SELECT RoomID, Temperature, TS AS at FROM R(TempStr) WHERE Now - 10 < TS AND TS <= Now
SELECT RoomID, Temperature, TS AS at FROM R(TempStr) WHERE Now - 5 < TS AND TS <= Now
SELECT RoomID, Temperature, TS AS at FROM R(TempStr) WHERE Now - 5 <= TS
SELECT RoomID, Temperature, TS AS at FROM R(TempStr) WHERE TS <= Now - 5
SELECT RoomID, Temperature, TS AS at FROM R(TempStr) WHERE TS > Now - 5
SELECT RoomID, Temperature, TS AS at FROM R[Sync2](TempStr) WHERE Now - 10 < TS AND TS <= Now
SELECT T.RoomID, T.Temperature, T.TS AS at FROM R[Sync2](TempStr) T, R(TwoUnitsSlide) N WHERE N.currTime - 10 < T.TS AND T.TS <= N.currTime
SELECT T.RoomID, T.Temperature, T.TS AS at FROM R[Sync2](TempStr) T, R(TwoUnitsSlide) N WHERE N.currTime - 5 < T.TS AND T.TS <= N.currTime
SELECT T.RoomID, T.Temperature, T.TS AS at FROM R(TempStr) T, R(TwoUnitsSlide) N WHERE N.currTime - 5 < T.TS AND T.TS <= N.currTime
SELECT T.RoomID, T.Temperature, T.TS AS at FROM R(TempStr) T, R(NowView) N WHERE N.currTime - 5 < T.TS AND T.TS <= N.currTime
SELECT T.RoomID, T.Temperature, T.TS AS at FROM R[Sync4](TempStr) T, R[Sync4](NowView) N WHERE N.currTime - 5 < T.TS AND T.TS <= N.currTime
SELECT RoomID, count(*) n FROM R(TempStr) WHERE Now - 5 < TS AND TS <= Now GROUP BY RoomID
SELECT RoomID, count(*) n, max(Temperature) m FROM R(TempStr) GROUP BY RoomID
SELECT RoomID, count(*) n FROM R[Sync2](TempStr) GROUP BY RoomID
SELECT count(*) n FROM R(TempStr) WHERE Now - 5 < TS
SELECT count(*) n FROM R(TempStr)
SELECT count(*) n FROM R[Sync4](TempStr) WHERE Temperature > 5
SELECT a.RoomID, a.Temperature, b.Temperature t2 FROM R[Sync2](RoomTempStr) a JOIN R[Sync3](TempStr) b ON a.RoomID = b.RoomID
SELECT a.RoomID, a.Temperature, b.Temperature t2 FROM R[Sync2](RoomTempStr) a JOIN R[Sync3](TempStr) b ON a.RoomID = b.RoomID EMIT FULL
SELECT a.RoomID, a.Temperature, b.Temperature t2 FROM R[Sync6](RoomTempStr) a JOIN R[Sync6](TempStr) b ON a.RoomID = b.RoomID
SELECT a.RoomID, a.Temperature, b.Temperature t2 FROM R[Sync2](RoomTempStr) a JOIN R[Sync2](TempStr) b ON a.RoomID = b.RoomID
SELECT a.RoomID, a.Temperature, b.Temperature t2 FROM R(RoomTempStr) a JOIN R(TempStr) b ON a.RoomID = b.RoomID
SELECT a.RoomID, a.Temperature FROM R[Sync2](RoomTempStr) a JOIN R[Sync3](TempStr) b ON a.RoomID = b.RoomID WHERE a.Temperature > 5 EMIT FULL
SELECT a.RoomID, a.Temperature FROM R[Sync2](RoomTempStr) a WHERE a.RoomID IN (SELECT RoomID FROM R[Sync3](TempStr))
SELECT a.RoomID, a.Temperature FROM R[Sync2](RoomTempStr) a WHERE a.RoomID IN (SELECT RoomID FROM R[Sync3](TempStr)) EMIT FULL
SELECT a.RoomID, a.Temperature FROM R[Sync2](RoomTempStr) a WHERE a.RoomID IN (SELECT RoomID FROM R[Sync3](TempStr)) OR a.Temperature > 5
SELECT a.RoomID, a.Temperature FROM R[Sync2](RoomTempStr) a WHERE a.RoomID IN (SELECT RoomID FROM R[Sync3](TempStr)) OR a.Temperature > 5 EMIT FULL
SELECT a.RoomID, a.Temperature FROM R[Sync6](RoomTempStr) a WHERE a.RoomID IN (SELECT RoomID FROM R[Sync6](TempStr)) OR a.Temperature > 5
SELECT a.RoomID, a.Temperature FROM R(RoomTempStr) a WHERE a.RoomID IN (SELECT RoomID FROM R(TempStr)) OR a.Temperature > 5
SELECT a.RoomID, a.Temperature FROM R(RoomTempStr) a WHERE a.RoomID IN (SELECT RoomID FROM R(TempStr))
SELECT a.RoomID, a.Temperature FROM R[Sync2](RoomTempStr) a WHERE NOT EXISTS (SELECT 1 FROM R[Sync2](NoiseStr) n WHERE n.RoomID = a.RoomID)
SELECT a.RoomID, a.Temperature FROM R[Sync4](RoomTempStr) a WHERE NOT EXISTS (SELECT 1 FROM R[Sync4](NoiseStr) n WHERE n.RoomID = a.RoomID)
SELECT a.RoomID, a.Temperature FROM R[Sync4](RoomTempStr) a WHERE NOT EXISTS (SELECT 1 FROM R[Sync2](NoiseStr) n WHERE n.RoomID = a.RoomID)
SELECT a.RoomID, a.Temperature, n.Level FROM R[Sync4](RoomTempStr) a LEFT JOIN R[Sync4](NoiseStr) n ON n.RoomID = a.RoomID
SELECT a.RoomID, a.Temperature, n.Level FROM R[Sync2](RoomTempStr) a LEFT JOIN R[Sync4](NoiseStr) n ON n.RoomID = a.RoomID
SELECT a.RoomID, a.Temperature, n.Level FROM R(RoomTempStr) a LEFT JOIN R(NoiseStr) n ON n.RoomID = a.RoomID
SELECT a.RoomID, a.Temperature, n.Level FROM R[Sync2](RoomTempStr) a LEFT JOIN R[Sync3](NoiseStr) n ON n.RoomID = a.RoomID EMIT FULL
SELECT RoomID FROM R[Sync2](TempStr) UNION ALL SELECT RoomID FROM R[Sync3](NoiseStr)
SELECT RoomID FROM R[Sync2](TempStr) UNION ALL SELECT RoomID FROM R[Sync3](NoiseStr) EMIT FULL
SELECT RoomID FROM R(TempStr) UNION ALL SELECT RoomID FROM R(NoiseStr)
SELECT RoomID FROM R[Sync6](TempStr) UNION SELECT RoomID FROM R[Sync6](NoiseStr)
SELECT RoomID FROM R[Sync6](TempStr) EXCEPT SELECT RoomID FROM R[Sync6](NoiseStr)
SELECT RoomID FROM R[Sync3](TempStr) EXCEPT SELECT RoomID FROM R[Sync2](NoiseStr)
SELECT RoomID FROM R[Sync3](TempStr) EXCEPT SELECT RoomID FROM R[Sync2](NoiseStr) EMIT FULL
SELECT RoomID FROM R(TempStr) EXCEPT SELECT RoomID FROM R(NoiseStr)
SELECT RoomID, Temperature FROM R[Sync4](v1)
SELECT RoomID, Temperature FROM R[Sync3](v1)
SELECT RoomID, Temperature FROM R(v1) WHERE Temperature > 5
SELECT RoomID, t2 FROM R[Sync6](v29) WHERE Temperature > 5
SELECT RoomID, t2 FROM R(v29) WHERE Temperature > 5
SELECT RoomID, t2 FROM R(v30)
SELECT RoomID, n FROM R[Sync4](v24) WHERE n > 1
SELECT at, count(*) n FROM R[Sync2](v9) GROUP BY at
SELECT TS AS at, count(*) n FROM R[Sync2](RoomTempStr) GROUP BY TS
SELECT RoomID, Temperature FROM R[Hot](RoomTempStr) EMIT FULL
SELECT a.RoomID, b.Level FROM R[Hot](RoomTempStr) a JOIN R[Sync2](NoiseStr) b ON a.RoomID = b.RoomID EMIT FULL
SELECT a.RoomID, b.Level FROM R[Hot](RoomTempStr) a JOIN R[Sync2](NoiseStr) b ON a.RoomID = b.RoomID
SELECT a.RoomID, b.Level FROM R(RoomTempStr) a JOIN R(NoiseStr) b ON a.RoomID = b.RoomID
SELECT R.RoomID, R.TS AS at FROM R[Sync3](TempStr) R, R(TwoUnitsSlide) N WHERE N.currTime - 5 < R.TS AND R.TS <= N.currTime EMIT FULL
SELECT R.RoomID, R.TS AS at FROM R(TempStr) R, R(TwoUnitsSlide) N WHERE N.currTime - 5 < R.TS AND R.TS <= N.currTime EMIT FULL
