"""What a first-time user does in a session of their own, the README's quick start and a little more, and all that it
shows. The same text runs in a classic session and in one of Spark Connect."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pandas as pd
from pyspark.sql import DataFrame, SparkSession

from syncsql.errors import SyncSQLError
from syncsql.session import Database, connect

_SCRIPT = """
    REGISTER SOURCE TemperatureSource (RoomID STRING, Temperature INT);
    CREATE STREAM RoomTempStr OVER TemperatureSource KEY RoomID;
    CREATE STREAMED VIEW Sync2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 2 = 0;
    CREATE STREAMED VIEW HotRooms AS
        SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr) WHERE Temperature > 80;
    CREATE COMPLETE VIEW Rooms AS SELECT count(*) AS n, avg(Temperature) AS mean FROM R[Sync2](RoomTempStr);
    CREATE STREAMED VIEW Pairs AS
        SELECT a.RoomID AS hot, b.RoomID AS other FROM R(HotRooms) a JOIN R[Sync2](RoomTempStr) b
        ON a.Temperature > b.Temperature;
    CREATE STREAMED VIEW Over90 AS SELECT RoomID FROM R[Sync2](RoomTempStr) WHERE Temperature > 90;
    CREATE STREAMED VIEW Over100 AS SELECT RoomID FROM R[Sync2](RoomTempStr) WHERE Temperature > 100;
"""
_REFUSED = (
    "SELECT nothing FROM R(HotRooms)",
    "SELECT sqroot(Temperature) FROM R(HotRooms)",
    "SELECT RoomID FROM R(HotRooms) WHERE Temperature > ARRAY(1)",
)


def seen(home: Path, spark: SparkSession) -> dict[str, Any]:
    """What the databases show, and what the session is like before and after."""
    spark.createDataFrame([(1,)], "x INT").createOrReplaceTempView("mine")  # It is the active one from here on.
    before = spark.conf.getAll
    with connect(home / "quick", spark) as db:
        quick = quick_start(db)
        kept = db.views.HotRooms.relation()
        sessions = db._engine.sessions
    with patch("syncsql.storage.limits.SMALL_ROWS", 0), connect(home / "many", spark) as db:
        large = many(db)
    return {
        "quick": quick,
        "many": large,
        "settings": [before, spark.conf.getAll],
        "views": [table.name for table in spark.catalog.listTables()],
        "is active": SparkSession.getActiveSession() is spark,
        "read after closing": rows(kept),
        "stopped": [getattr(s, "is_stopped", None) for s in (sessions.small, sessions.large, sessions.user)],
    }


def quick_start(db: Database) -> dict[str, Any]:
    """Rows and texts by what they are. Nothing is read before the end but what must be: a DataFrame that is handed
    out stays what it was, whatever comes after it."""
    shown: dict[str, Any] = {}
    db.sql(_SCRIPT)
    shown["tuples"] = str(db.push("TemperatureSource", [("a", 105), ("b", 70), ("{c}", 95), (None, 1)], at=1))
    db.push("TemperatureSource", pd.DataFrame({"RoomID": ["a", "b"], "Temperature": [76, 85]}), at=3)
    frame = db.spark.createDataFrame([("b", "99"), ("d", "warm")], "RoomID STRING, Temperature STRING")
    shown["frame"] = str(db.push("TemperatureSource", frame, at=5))
    shown["advance"] = [str(db.advance(to=4)), str(db.advance(to=6))]
    frames = {
        "quarantine": db.sources.TemperatureSource.quarantine().select("stream", "reason", "detail"),
        "history": db.sources.TemperatureSource.tuples(),
        "stream": db.streams.RoomTempStr.changes(),
        "changes": db.views.HotRooms.changes(),
        "relation": db.views.HotRooms.relation(at=2),
        "points": db.views.HotRooms.points(),
        "clock": db.views.Sync2.changes(),
        "aggregate": db.views.Rooms.changes(),
        "join": db.views.Pairs.relation(at=4),
        "shared": db.views.Over90.changes(),
        "together": db.changes(["Over90", "Over100"]),
        "query": db.sql("SELECT STREAMED RoomID FROM R(HotRooms) WHERE RoomID <> '{}' AND Temperature > 90").changes(),
    }
    shown["virtual"] = [name for name in db.views if "virtual" in str(db.views[name].describe())]
    shown["plan"] = str(db.sql("EXPLAIN PLAN SELECT RoomID FROM R(HotRooms)"))
    shown["sharing"] = db.plan("SELECT RoomID FROM R[Sync2](RoomTempStr) WHERE Temperature > 99").sql()
    shown["verified"] = [str(db.sql(f"VERIFY VIEW {name} AT 4")) for name in ("HotRooms", "Rooms", "Pairs", "Over90")]
    shown["refused"] = [_refusal(db, text) for text in _REFUSED]
    return shown | {name: rows(frame) for name, frame in frames.items()}


def rows(frame: DataFrame) -> list[list[Any]]:
    return sorted(map(list, frame.collect()), key=repr)


def _refusal(db: Database, text: str) -> str:
    try:
        return repr(db.sql(text))
    except SyncSQLError as error:
        return str(error)


def many(db: Database) -> dict[str, Any]:
    """Work that Spark does: nothing is fetched and committed from here."""
    db.sql("""
        REGISTER SOURCE Readings (Sensor INT, Value DOUBLE);
        CREATE STREAM Sensors OVER Readings KEY Sensor;
        CREATE COMPLETE VIEW Sums AS SELECT Sensor % 3 AS part, sum(Value) AS total FROM R(Sensors) GROUP BY Sensor % 3;
    """)
    pushed = []
    for at in (1, 2):
        frame = db.spark.range(300).selectExpr("CAST(id AS INT) AS Sensor", f"CAST(id * {at} AS DOUBLE) AS Value")
        pushed.append(str(db.push("Readings", frame, at=at)))
        db.advance(to=at)
    verified = str(db.views.Sums.verify())
    return {"pushed": pushed, "sums": rows(db.views.Sums.relation()), "verified": verified}
