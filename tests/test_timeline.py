"""Streams beside each other, as the paper's Figure 5 has them."""

from __future__ import annotations

from syncsql.session import Database


def test_streams_beside_each_other(db: Database) -> None:
    db.sql("""
        REGISTER SOURCE TemperatureSource (RoomID STRING, Temperature INT);
        CREATE STREAM RoomTempStr OVER TemperatureSource KEY RoomID;
        CREATE STREAMED VIEW Sync2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 2 = 0;
        CREATE STREAMED VIEW HotRooms AS
            SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr) WHERE Temperature > 80;
    """)
    for at, row in ((1, ("a", 105)), (3, ("b", 110)), (4, ("c", 97)), (7, ("a", None))):
        db.push("TemperatureSource", [row], at=at)
    db.advance(to=8)
    told = db.timeline("RoomTempStr", "HotRooms", "Sync2", since=0)
    assert str(told).splitlines() == [
        "stream       1         2         3         4         6     7          8",
        "-----------  --------  --------  --------  --------  ----  ---------  ----",
        "RoomTempStr  +<a,105>            +<b,110>  +<c,97>         u<a,NULL>",
        "HotRooms               +<a,105>            +<b,110>                   -<a>",
        "                                           +<c,97>",
        "Sync2                  +<2>                +<4>      +<6>             +<8>",
    ]
    assert str(db.timeline("HotRooms", since=4)).splitlines()[0].split() == ["stream", "8"]
