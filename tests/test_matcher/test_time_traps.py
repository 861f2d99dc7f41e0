"""Where a matcher is easily wrong about time: one test per trap, over the paper's streams of rooms and cars."""

from __future__ import annotations

import pytest

from matcher.evidence import TwoDatabases
from matcher.sqltext import to_sql
from matcher.verdict import Match, NoMatch, Verdict
from tests.test_matcher.asked import refused, verdict

_LONG = "CREATE VIEW {} AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 100 IN (1, 3, 5, 7, 9, 11, 13, 15, {})"
LONG = ";".join([_LONG.format("A", 17), _LONG.format("B", 19)])
NOWS = """;
CREATE VIEW NowA AS SELECT 1 AS KEY, MAX(Timepoint) AS currTime FROM R(A);
CREATE VIEW NowB AS SELECT 1 AS KEY, MAX(Timepoint) AS currTime FROM R(B)"""


def rewritten(found: Verdict) -> str:
    assert isinstance(found, Match), found
    return to_sql(found.rewrite)


def test_sets_of_points_that_are_described_alike() -> None:
    """A long set is shortened for people; shortened alike is not the same."""
    view, query = (f"SELECT RoomID, Temperature FROM R[{sync}](RoomTempStr)" for sync in "AB")
    refused(verdict(view, query, "rooms", LONG), "TIME.NOT_CONTAINED")
    assert isinstance(verdict(view, view, "rooms", LONG), Match)


def test_times_that_are_described_alike() -> None:
    window = "SELECT r.RoomID FROM R(RoomTempStr) r, R(Now{}) n WHERE r.TS > n.currTime - 5"
    found = verdict(window.format("A"), window.format("B"), "rooms", LONG + NOWS)
    refused(found, "ROWS.NOT_CONTAINED")


def test_time_of_a_subquery_counts() -> None:
    """A subquery that looks at the time every second tick makes a view that changes every second tick."""
    window = "(SELECT t.RoomID FROM R(TempStr) t, R({}) n WHERE t.TS > n.currTime - 5)"
    semi = "SELECT s.RoomID, s.Temperature FROM R(RoomTempStr) s LEFT SEMI JOIN {} t ON t.RoomID = s.RoomID"
    view, query = (semi.format(window.format(now)) for now in ("TwoUnitsSlide", "NowView"))
    refused(verdict(view, query, "rooms"), "TIME.NOT_CONTAINED")
    refused(verdict(view, f"{query} WHERE s.Temperature > 3", "rooms"), "TIME.NOT_CONTAINED")


def test_a_query_that_a_subquery_changes_more_often() -> None:
    query = (
        "SELECT RoomID FROM R[Sync2](RoomTempStr) s "
        "WHERE EXISTS (SELECT 1 FROM R[Sync2](TempStr) t WHERE t.RoomID = s.RoomID AND t.TS > Now - 5)"
    )
    assert "R(v)" in rewritten(verdict(query, query, "rooms"))
    inlined = verdict(query, "SELECT RoomID FROM R(w)", "rooms", f"CREATE VIEW w AS {query}")
    assert "R(v)" in rewritten(inlined)


def test_time_above_and_beside_other_rows() -> None:
    """The time in an OVER expression, and in the condition of a FULL JOIN, is read under the query's stream."""
    over = "SELECT RoomID, sum({} - TS) OVER (PARTITION BY Temperature) AS a FROM R{}(RoomTempStr)"
    refused(verdict(over.format("Now", ""), over.format("Now", "[Sync2]"), "rooms"), "SHAPE.DIFFERENT")
    assert "R(v)" in rewritten(verdict(over.format("Now", ""), over.format("Now", ""), "rooms"))
    full = (
        "SELECT a.RoomID, b.RoomID AS other FROM R{0}(RoomTempStr) a FULL JOIN R{0}(TempStr) b "
        "ON a.RoomID = b.RoomID{1}"
    )
    late = " AND a.TS > Now - 5"
    refused(verdict(full.format("", late), full.format("[Sync2]", late), "rooms"), "SHAPE.DIFFERENT")
    assert "R[Sync2](v)" in rewritten(verdict(full.format("", ""), full.format("[Sync2]", ""), "rooms"))


@pytest.mark.parametrize("length", [5, 20, 3600])
def test_a_counterexample_has_no_tuples_of_the_future(length: int) -> None:
    window = f"SELECT RoomID, TS AS at FROM R(RoomTempStr) WHERE TS > Now - {length}"
    found = verdict(window, "SELECT RoomID FROM R(RoomTempStr)", "rooms", evidence=True)
    assert isinstance(found, NoMatch)
    assert isinstance(found.evidence, TwoDatabases)
    assert found.evidence.now is not None
    ticks = [row[-1] for table in (*found.evidence.one, *found.evidence.other) for row in table.rows]
    assert ticks
    assert all(0 <= t <= found.evidence.now for t in ticks)
    past = "SELECT RoomID FROM R(RoomTempStr) WHERE TS <= Now AND TS >= 0"
    refuted = verdict(past, "SELECT RoomID FROM R(RoomTempStr)", "rooms", evidence=True)
    assert getattr(refuted, "evidence", None) is None, refuted


def test_a_row_that_waits_for_another_stream_is_inserted_later() -> None:
    """Insertions of a selection with EXISTS come when the other row comes, not when its own row did."""
    warm = "CREATE VIEW Warm AS SELECT TS FROM R(TempStr) WHERE Temperature > 100"
    hot = "CREATE VIEW Hot AS SELECT t.TS FROM R(TempStr) t WHERE Temperature > 120"
    waits = f"{hot} AND EXISTS (SELECT 1 FROM R(S2) s WHERE s.CarID = t.RoomID)"
    view, query = (f"SELECT RoomID FROM R[{sync}](RoomTempStr)" for sync in ("Warm", "Hot"))
    assert isinstance(verdict(view, query, "rooms", f"{warm}; {hot}"), Match)
    refused(verdict(view, query, "rooms", f"{warm}; {waits}"), "TIME.NOT_CONTAINED")
