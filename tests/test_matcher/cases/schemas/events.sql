-- Synchronization streams made of events.
REGISTER SOURCE TemperatureSource (RoomID STRING, Temperature INT);
CREATE STREAM RoomTempStr OVER TemperatureSource KEY RoomID;
CREATE STREAM TempStr OVER TemperatureSource KEY NULL;
REGISTER SOURCE NoiseSource (RoomID STRING, Level INT);
CREATE STREAM NoiseStr OVER NoiseSource KEY NULL;
CREATE VIEW Sync2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 2 = 0;
CREATE VIEW Sync4 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 4 = 0;
CREATE VIEW Hot AS SELECT TS FROM R(TempStr) WHERE Temperature > 120;
CREATE VIEW Warm AS SELECT TS FROM R(TempStr) WHERE Temperature > 100;
CREATE VIEW Loud AS SELECT TS FROM R(NoiseStr) WHERE Level > 120;
CREATE VIEW WarmOr2 AS SELECT TS FROM R(Warm) UNION SELECT Timepoint FROM R(Sync2)
