"""Decisions as data: what is kept of them, what they say, and what an advance did not have to do."""

from __future__ import annotations

import json

import pytest
from pyspark.sql import DataFrame

from syncsql.errors import EngineError
from syncsql.session import Database, connect

SETUP = """
REGISTER SOURCE TemperatureSource (RoomID STRING, Temperature INT);
CREATE STREAM RoomTempStr OVER TemperatureSource KEY RoomID;
CREATE STREAMED VIEW Sync2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 2 = 0;
CREATE STREAMED VIEW Sync4 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 4 = 0;
CREATE STREAMED VIEW HotRooms AS SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr) WHERE Temperature > 80
"""


@pytest.fixture
def rooms(db: Database) -> Database:
    db.sql(SETUP)
    for at in range(1, 5):
        db.push("TemperatureSource", [("a", 70 + 10 * at), ("b", 130 - at), ("c", 60)], at=at)
    db.advance(to=4)
    return db


def rows(frame: DataFrame) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in frame.toArrow().to_pylist()]


def test_a_view_says_why_it_is_computed_as_it_is(rooms: Database) -> None:
    rooms.sql("CREATE VIEW VeryHot AS SELECT RoomID FROM R[Sync4](RoomTempStr) WHERE Temperature > 100")
    rooms.sql("CREATE VIEW Fine AS SELECT RoomID FROM R(RoomTempStr) WHERE Temperature > 90")
    shared, alone = rooms.views.VeryHot.decision, rooms.views.Fine.decision
    assert shared is not None
    assert alone is not None
    assert "virtual, answered from HotRooms" in str(shared)
    assert "starts from at most" in str(shared)
    assert "rows of HotRooms instead of" in str(shared)
    assert "computed as it is written" in str(alone)
    verdict = alone.to_dict()["details"]["verdicts"][0]
    assert (verdict["view"], verdict["code"]) == ("HotRooms", "TIME.NOT_CONTAINED")
    # The time points at which the query is due and the view is not refreshed.
    assert verdict["counterexample"] is not None
    assert "TIME.NOT_CONTAINED" in alone._repr_html_()


def test_decisions_and_savings_are_delta_tables(rooms: Database) -> None:
    rooms.sql("CREATE VIEW VeryHot AS SELECT RoomID FROM R[Sync4](RoomTempStr) WHERE Temperature > 100")
    rooms.push("TemperatureSource", [("a", 140), ("c", 120)], at=7)
    rooms.advance(to=8)
    root = rooms._engine.root
    decisions = rooms.spark.read.format("delta").load(str(root / "_decisions")).orderBy("seq").collect()
    assert [(d["view"], d["runs"], d["answered_from"]) for d in decisions] == [
        ("HotRooms", "materialized", None), ("VeryHot", "virtual", "HotRooms"),
    ]  # fmt: skip
    assert decisions[1]["cost"] < decisions[1]["unshared_cost"]
    assert json.loads(decisions[1]["details"])["verdicts"][0]["proof"]
    savings = rooms.spark.read.format("delta").load(str(root / "_savings")).collect()
    assert [(s["view"], s["at"], s["rows_unshared"], s["rows_read"]) for s in savings] == [("VeryHot", 8, 2, 0)]
    report = rooms.sql("SHOW SHARING")
    assert str(report) == str(rooms.sharing())
    assert next(r for r in rooms.sharing().to_dict()["rows"] if r["view"] == "VeryHot")["rows saved"] == 2


def test_a_replacement_that_says_the_same_changes_nothing(rooms: Database) -> None:
    before = rows(rooms.views.HotRooms.changes())
    events = len(rooms._engine._events)
    rooms.sql(
        "CREATE OR REPLACE STREAMED VIEW HotRooms AS "
        "SELECT r.RoomID, r.Temperature FROM R[Sync2](RoomTempStr) r WHERE r.Temperature > 80"
    )
    assert len(rooms._engine._events) == events
    assert rows(rooms.views.HotRooms.changes()) == before


def test_a_view_can_be_asked_to_be_kept_or_derived(rooms: Database) -> None:
    query = "SELECT RoomID FROM R[Sync2](RoomTempStr) WHERE Temperature > 100"
    rooms.sql(f"CREATE MATERIALIZED STREAMED VIEW Kept AS {query}")
    rooms.sql(f"CREATE VIRTUAL STREAMED VIEW Derived AS {query}")
    rooms.sql("CREATE VIRTUAL VIEW Sums AS SELECT count(*) AS n FROM R(RoomTempStr) WHERE Now - 2 < TS AND TS <= Now")
    runs = {r["view"]: r["runs"] for r in rooms.sharing().to_dict()["rows"]}
    assert runs == {"HotRooms": "materialized", "Kept": "materialized", "Derived": "virtual", "Sums": "virtual"}
    for at in range(5, 12):
        rooms.push("TemperatureSource", [("a", 90 + at), ("d", 99 + at % 3)], at=at)
        rooms.advance(to=at)
    assert rows(rooms.views.Kept.changes()) == rows(rooms.views.Derived.changes()) != []
    assert rooms.views.Sums.verify(9).ok
    assert rooms.views.Sums.verify().ok


def test_what_is_made_from_the_time_alone_is_never_stored(db: Database) -> None:
    db.sql("CREATE VIEW Doubled AS SELECT Timepoint * 2 AS t FROM R(clockStr) WHERE Timepoint % 3 = 1")
    db.advance(to=8)
    assert rows(db.views.Doubled.changes()) == [("+", 2, 1), ("+", 8, 4), ("+", 14, 7)]
    assert rows(db.views.Doubled.changes(since=1, until=4)) == [("+", 8, 4)]
    assert not (db._engine.root / "streams").exists()


def test_covering_views_are_proposed_and_made(rooms: Database) -> None:
    queries = [f"SELECT RoomID FROM R[Sync4](RoomTempStr) WHERE Temperature > {c}" for c in (20, 40, 60, 70)]
    advice = rooms.optimize(queries)
    assert len(advice.statements) == 1
    assert len(rooms.views) == 3
    assert rooms.optimize(queries, create=True).statements == advice.statements
    name = next(v for v in rooms.views if v.startswith("cover_"))
    for number, query in enumerate(queries):
        rooms.sql(f"CREATE VIEW Q{number} AS {query}")
        assert rooms.views[f"Q{number}"].decision.to_dict()["answered_from"] == name  # type: ignore[union-attr]


def test_a_database_without_sharing_says_so(db: Database) -> None:
    with connect(db._engine.root.parent / "alone", db.spark, sharing=False) as alone:
        alone.sql(SETUP)
        alone.sql("CREATE VIEW VeryHot AS SELECT RoomID FROM R[Sync4](RoomTempStr) WHERE Temperature > 100")
        assert alone.views.VeryHot.decision is None
        assert "sharing=False" in str(alone.sql("SHOW SHARING"))
        assert alone.plan("SELECT RoomID FROM R[Sync4](RoomTempStr) WHERE Temperature > 90").chosen is not None
        with pytest.raises(EngineError, match=r"SHARING\.OFF"):
            alone.optimize(["SELECT RoomID FROM R(RoomTempStr)"])
