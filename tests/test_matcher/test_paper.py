"""The paper's own examples of sections 1, 4.3 and 5, to the letter."""

from __future__ import annotations

from matcher.decide import Matcher
from matcher.decision import Decision
from matcher.evidence import TimePoint
from matcher.verdict import Match, NoMatch
from matcher.workspace import Workspace
from syncsql.algebra.normalize import normalize
from syncsql.algebra.skin import skin
from syncsql.algebra.sync import Ticks
from syncsql.language import parse_statement
from tests.test_matcher.cases import schema


def decide(views: str, query: str) -> Decision:
    workspace = Workspace()
    workspace.read(schema("rooms"))
    workspace.read(views)
    return Matcher(workspace).decide(query, every=True)


def test_example_4_hot_rooms() -> None:
    view = "CREATE STREAMED VIEW HotRooms1 AS SELECT RoomID, Temperature FROM R(RoomTempStr) R WHERE R.Temperature > 80"
    q3 = decide(view, "SELECT STREAMED RoomID, Temperature FROM R(RoomTempStr) R WHERE R.Temperature > 80")
    assert q3.sql() == "SELECT HotRooms1.RoomID, HotRooms1.Temperature FROM R(HotRooms1) HotRooms1"
    q4 = decide(view, "SELECT STREAMED RoomID, Temperature FROM R(RoomTempStr) R WHERE R.Temperature > 100")
    assert q4.sql() == (
        "SELECT HotRooms1.RoomID, HotRooms1.Temperature FROM R(HotRooms1) HotRooms1 WHERE HotRooms1.Temperature > 100"
    )


def test_example_17_coarser_synchronization() -> None:
    view = "CREATE VIEW V AS SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr)"
    decision = decide(view, "SELECT RoomID, Temperature FROM R[Sync4](RoomTempStr)")
    assert decision.sql() == "SELECT V.RoomID, V.Temperature FROM R[Sync4](V) V"
    view = "CREATE VIEW V AS SELECT RoomID, Temperature FROM R[Sync4](RoomTempStr)"
    verdict = dict(decide(view, "SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr)").verdicts)["V"]
    assert isinstance(verdict, NoMatch)
    assert verdict.code == "TIME.NOT_CONTAINED"
    assert verdict.evidence == TimePoint(2, 0, 4)
    assert verdict.hint == "refresh the view at least at every 2nd tick (Timepoint mod 2 = 0)"


def test_example_18_skinning() -> None:
    workspace = Workspace()
    workspace.read("""
        REGISTER SOURCE Source (ID INT, X INT);
        CREATE STREAM S1 OVER Source KEY ID;
        CREATE STREAM S2 OVER Source KEY ID;
        CREATE VIEW Sync1 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 2 = 0;
        CREATE VIEW Sync2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 3 = 0;
    """)
    text = "SELECT a.ID FROM R[Sync1](S1) a JOIN R[Sync2](S2) b ON a.ID = b.ID WHERE a.X > b.X"
    plan, _ = workspace.plan(parse_statement(text))  # type: ignore[arg-type]
    skinned = skin(plan)
    assert skinned.start == "σ(ℜ_{Sync1}(S1) ⋈ ℜ_{Sync2}(S2))"
    assert [str(s) for s in skinned.steps] == [
        "Corollary 3:  σ(ℜ_{Sync1 ∩ Sync2}(ξ(ℜ(S1) ⋈ ℜ(S2))))",
        "Corollary 2:  ℜ_{Sync1 ∩ Sync2}(ξ(σ(ℜ(S1) ⋈ ℜ(S2))))",
    ]
    assert skinned.normal_form == "ℜ_{Sync1 ∩ Sync2}(ξ(σ(ℜ(S1) ⋈ ℜ(S2))))"
    assert skinned.sync.name == "Sync1 ∩ Sync2"
    assert isinstance(skinned.sync.points, Ticks)
    assert skinned.sync.points.times.describe() == "Timepoint mod 6 = 0"
    assert skinned.partial
    assert skin(normalize(plan)).sync == skinned.sync


def test_example_19_matching() -> None:
    view = "CREATE VIEW HotRooms1 AS SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr) WHERE Temperature > 80"
    decision = decide(view, "SELECT RoomID, Temperature FROM R[Sync4](RoomTempStr) WHERE Temperature > 100")
    match = decision.chosen
    assert isinstance(match, Match)
    assert decision.sql() == (
        "SELECT HotRooms1.RoomID, HotRooms1.Temperature FROM R[Sync4](HotRooms1) HotRooms1 "
        "WHERE HotRooms1.Temperature > 100"
    )
    assert str(match.proof[0]) == "Temperature > 100  ⇒  Temperature > 80   [Z3: unsat]"
    assert str(match.proof[-1]) == "Sync4 ⊆ Sync2   [Theorem 1, Z3: unsat]"


def test_parking_lot() -> None:
    """Section 1: Q2 groups by type the cars that Q1 keeps track of."""
    q1 = "SELECT CarID, CarType FROM R(S1) EXCEPT SELECT CarID, CarType FROM R(S2)"
    decision = decide(
        f"CREATE STREAMED VIEW Q1 AS {q1}", f"SELECT CarType, count(*) AS n FROM ({q1}) q GROUP BY CarType"
    )
    assert decision.sql() == "SELECT Q1.CarType, count(*) AS n FROM R(Q1) Q1 GROUP BY Q1.CarType"
