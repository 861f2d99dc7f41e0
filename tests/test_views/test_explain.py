"""EXPLAIN SKIN, EXPLAIN SHARING and db.plan: what would be done and why, with nothing changed."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from matcher.decision import Decision
from matcher.verdict import Match, NoMatch, Unknown
from syncsql.render import Report
from syncsql.session import Database

_BUDGET = "spark.syncsql.matcher.budgetMs"


@pytest.fixture
def rooms(db: Database) -> Iterator[Database]:
    db.sql("""
        REGISTER SOURCE Readings (RoomID STRING, Temperature INT);
        CREATE STREAM RoomTempStr OVER Readings KEY RoomID;
        CREATE VIEW Sync2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint mod 2 = 0;
        CREATE VIEW Sync4 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint mod 4 = 0;
        CREATE VIEW HotRooms1 AS SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr) WHERE Temperature > 80;
        CREATE VIEW VeryHot AS SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr) WHERE Temperature > 120;
        CREATE VIEW Seldom AS SELECT RoomID, Temperature FROM R[Sync4](RoomTempStr) WHERE Temperature > 80;
    """)
    yield db
    db.spark.conf.unset(_BUDGET)


QUERY = "SELECT RoomID FROM R[Sync2](RoomTempStr) WHERE Temperature > 100"


def test_sharing_is_explained_with_every_verdict(rooms: Database) -> None:
    before = repr(rooms), rooms.sql("SHOW VIEWS").to_dict()
    decision = rooms.sql(f"EXPLAIN SHARING {QUERY}")
    assert isinstance(decision, Decision)
    verdicts = dict(decision.verdicts)
    assert isinstance(verdicts["HotRooms1"], Match)
    rows, time = verdicts["VeryHot"], verdicts["Seldom"]
    assert isinstance(rows, NoMatch)
    assert isinstance(time, NoMatch)
    assert (rows.code, time.code) == ("ROWS.NOT_CONTAINED", "TIME.NOT_CONTAINED")
    assert rows.evidence is not None
    assert time.evidence is not None
    assert "every 2nd tick" in str(time.hint)
    assert (
        decision.sql() == "SELECT HotRooms1.RoomID FROM R[Sync2](HotRooms1) HotRooms1 WHERE HotRooms1.Temperature > 100"
    )
    text, data = str(decision), json.loads(json.dumps(decision.to_dict(), default=str))
    for said in ("HotRooms1", "ROWS.NOT_CONTAINED", "database A", "refresh the view"):
        assert said in text
    assert "ROWS.NOT_CONTAINED" in decision._repr_html_()
    assert data["chosen"] == "HotRooms1"
    assert (repr(rooms), rooms.sql("SHOW VIEWS").to_dict()) == before


def test_a_plan_is_the_same_decision(rooms: Database) -> None:
    assert str(rooms.plan(QUERY)) == str(rooms.sql(f"EXPLAIN SHARING {QUERY}"))
    made = rooms.plan(f"CREATE OR REPLACE VIEW HotRooms1 AS {QUERY}")
    assert [name for name, _ in made.verdicts] == ["VeryHot", "Seldom"]
    assert list(rooms.views) == ["Sync2", "Sync4", "HotRooms1", "VeryHot", "Seldom"]


def test_without_a_budget_nothing_is_shared(rooms: Database) -> None:
    rooms.spark.conf.set(_BUDGET, "0")
    decision = rooms.plan(QUERY)
    assert decision.chosen is None
    assert decision.proofs == 0
    assert all(isinstance(v, Unknown) for _, v in decision.verdicts)


def test_the_skinned_form_is_explained_step_by_step(rooms: Database) -> None:
    report = rooms.sql(
        "EXPLAIN SKIN SELECT a.RoomID FROM R[Sync2](RoomTempStr) a, R[Sync4](HotRooms1) b WHERE a.RoomID = b.RoomID"
    )
    assert isinstance(report, Report)
    rules = [row["by"] for row in report.to_dict()["rows"]]
    assert "Corollary 3" in rules
    assert "Timepoint mod 4 = 0" in str(report)
    assert "partial states" in report._repr_html_()
