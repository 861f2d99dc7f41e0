-- The paper's temperature application, with synchronization streams of several periods.
REGISTER SOURCE TemperatureSource (RoomID STRING, Temperature INT);
CREATE STREAM RoomTempStr OVER TemperatureSource KEY RoomID;
CREATE STREAM TempStr OVER TemperatureSource KEY NULL;
REGISTER SOURCE CarSource (CarID STRING, CarType STRING);
CREATE STREAM S1 OVER CarSource KEY NULL;
CREATE STREAM S2 OVER CarSource KEY NULL;
CREATE VIEW Odd AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 2 = 1;
CREATE VIEW Sync2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 2 = 0;
CREATE VIEW Sync3 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 3 = 0;
CREATE VIEW Sync4 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 4 = 0;
CREATE VIEW Sync6 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 6 = 0;
CREATE VIEW NowView AS SELECT 1 AS KEY, MAX(T.Timepoint) AS currTime FROM R(clockStr) T;
CREATE VIEW TwoUnitsSlide AS SELECT 1 AS KEY, MAX(T.Timepoint) AS currTime FROM R(Sync2) T
