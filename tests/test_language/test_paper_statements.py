"""Every statement of the paper as it is printed, and the same in plain characters."""

from __future__ import annotations

import pytest

from syncsql.language import ColumnDef, CreateStream, RegisterSource, parse_script, parse_statement

QUERIES = {
    "example 3": (
        "select STREAMED RoomID, Temperature\nfrom ℜ(RoomTempStr) R\nwhere R.Temperature > 80",
        "SELECT RoomID, Temperature FROM R(RoomTempStr) R WHERE R.Temperature > 80",
    ),
    "example 4": (
        "create STREAMED view HotRooms₁ as\nselect RoomID, Temperature\nfrom ℜ(RoomTempStr) R where R.Temperature > 80",
        "CREATE VIEW HotRooms1 AS SELECT RoomID, Temperature FROM R(RoomTempStr) R WHERE R.Temperature > 80",
    ),
    "example 4, composed": (
        "select STREAMED RoomID, Temperature from ℜ(HotRooms₁) R",
        "SELECT RoomID, Temperature FROM R(HotRooms1) R",
    ),
    "section 2.2.1": (
        "select * from ℜ(S₁), ℜ(S₂) where ℜ(S₂).TS - 5 < ℜ(S₁).TS < ℜ(S₂).TS+5",
        "SELECT * FROM R(S1), R(S2) WHERE S2.TS - 5 < S1.TS AND S1.TS < S2.TS + 5",
    ),
    "example 5": (
        "create STREAMED view FiveUnitsWindow as\nselect *\nfrom ℜ(S) R\nwhere Now - 5 < R.TS ≤ Now",
        "CREATE STREAMED VIEW FiveUnitsWindow AS SELECT * FROM S R WHERE Now - 5 < R.TS AND R.TS <= Now",
    ),
    "example 6": (
        "select STREAMED COUNT(*)\nfrom ℜ(FiveUnitsWindow)\ngroupby CarType",
        "SELECT COUNT(*) FROM FiveUnitsWindow GROUP BY CarType",
    ),
    "example 8": (
        "create STREAMED view HotRooms₁ As select RoomID, Temperature from ℜ_Sync₂(RoomTempStr) R "
        "where R.Temperature > 80",
        "CREATE VIEW HotRooms1 AS SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr) R WHERE R.Temperature > 80",
    ),
    "example 10": (
        "create STREAMED view Sync₂ As select C.Timepoint from ℜ(clockStr) C where C.Timepoint mod 2 = 0",
        "CREATE VIEW Sync2 AS SELECT C.Timepoint FROM R(clockStr) C WHERE C.Timepoint % 2 = 0",
    ),
    "example 11": (
        "create STREAMED view UnionSyncStr as select DISTINCT(Timepoint) from ℜ(Sync₂) S₂ ∪ ℜ(Sync₅) S₅",
        "CREATE VIEW UnionSyncStr AS SELECT DISTINCT (Timepoint) FROM "
        "(SELECT * FROM R(Sync2) S2 UNION ALL SELECT * FROM R(Sync5) S5)",
    ),
    "example 12": (
        "create STREAMED view HotSync as select R.TS from ℜ(TempStr) R where R.Temperature > 120",
        "CREATE VIEW HotSync AS SELECT R.TS FROM R(TempStr) AS R WHERE R.Temperature > 120",
    ),
    "example 13": (
        "create STREAMED view NowView as select 1 as KEY, MAX(T.Timepoint) as currTime from ℜ(clockStr) T",
        "CREATE VIEW NowView AS SELECT 1 AS KEY, MAX(T.Timepoint) AS currTime FROM R(clockStr) T",
    ),
    "example 13, window": (
        "create STREAMED view FiveUnitsWindow as select R.* from ℜ(S) R, ℜ(NowView) N "
        "where N.currTime − 5 < R.TS ≤ N.currTime",
        "CREATE VIEW FiveUnitsWindow AS SELECT R.* FROM R(S) R, R(NowView) N "
        "WHERE N.currTime - 5 < R.TS AND R.TS <= N.currTime",
    ),
    "example 14": (
        "create STREAMED view TwoUnitsSlide as select 1 as KEY, MAX(T.Timepoint) as currTime from ℜ(Sync₂) T",
        "CREATE VIEW TwoUnitsSlide AS SELECT 1 AS KEY, MAX(T.Timepoint) AS currTime FROM R(Sync2) T",
    ),
    "example 14, window": (
        "create STREAMED view RangeFiveSlideTwo as\nselect R.*\nfrom ℜ_{Sync₂}(S) R, ℜ(TwoUnitsSlide) N\n"
        "where N.currTime - 5 < R.TS ≤ N.currTime",
        "CREATE VIEW RangeFiveSlideTwo AS SELECT R.* FROM R(S, Sync2) R, R(TwoUnitsSlide) N "
        "WHERE N.currTime - 5 < R.TS AND R.TS <= N.currTime",
    ),
    "example 16": (
        "select STREAMED * from ℜ_Sync₂(S₂) R₂, ℜ_Sync₃(S₃) R₃ where R₂.ID = R₃.ID",
        "SELECT * FROM R[Sync2](S2) R2, R[Sync3](S3) R3 WHERE R2.ID = R3.ID",
    ),
}


@pytest.mark.parametrize("example", QUERIES)
def test_query(example: str) -> None:
    printed, plain = QUERIES[example]
    assert parse_statement(printed) == parse_statement(plain)


def test_example_1() -> None:
    assert parse_script(
        "REGISTER SOURCE TemperatureSource (char RoomID, int Temperature) From port5501;"
        "CREATE STREAM RoomTempStr OVER TemperatureSource KEY RoomID;"
        "CREATE STREAM TempStr OVER TemperatureSource KEY NULL"
    ) == (
        RegisterSource(
            "TemperatureSource", (ColumnDef("RoomID", "STRING"), ColumnDef("Temperature", "INT")), None, "port5501"
        ),
        CreateStream("RoomTempStr", "TemperatureSource", ("RoomID",)),
        CreateStream("TempStr", "TemperatureSource", None),
    )
