"""Skinned forms: data at the finest grain, and the common points as one symbolic set."""

from __future__ import annotations

import pytest

from matcher.workspace import Workspace
from syncsql.algebra.relations import scans
from syncsql.algebra.skin import Skinned, skin
from syncsql.errors import BindError
from syncsql.language import Query, parse_statement

SCHEMA = """
REGISTER SOURCE Source (ID INT, X INT);
CREATE STREAM A OVER Source KEY ID;
CREATE STREAM B OVER Source KEY ID;
CREATE VIEW Sync2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 2 = 0;
CREATE VIEW Sync3 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 3 = 0;
CREATE VIEW Late AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint >= 10;
CREATE VIEW Slide AS SELECT 1 AS KEY, MAX(T.Timepoint) AS t FROM R(Sync2) T;
"""


def skinned(text: str) -> Skinned:
    workspace = Workspace()
    workspace.read(SCHEMA)
    statement = parse_statement(text)
    assert isinstance(statement, Query)
    plan, _ = workspace.plan(statement)
    return skin(plan)


@pytest.mark.parametrize(
    ("query", "start", "form", "points"),
    [
        ("SELECT * FROM R(A)", "ℜ(A)", "ξ(ℜ(A))", "every tick"),
        ("SELECT * FROM R[Sync2](A)", "ℜ_{Sync2}(A)", "ℜ_{Sync2}(ξ(ℜ(A)))", "Timepoint mod 2 = 0"),
        ("SELECT ID FROM R[Sync2](A) WHERE X > 1", "σ(ℜ_{Sync2}(A))", "ℜ_{Sync2}(ξ(σ(ℜ(A))))", "Timepoint mod 2 = 0"),
        ("SELECT count(*) FROM R[Sync2](A)", "γ(ℜ_{Sync2}(A))", "ℜ_{Sync2}(ξ(γ(ℜ(A))))", "Timepoint mod 2 = 0"),
        ("SELECT DISTINCT X FROM R[Sync3](A)", "δ(ℜ_{Sync3}(A))", "ℜ_{Sync3}(ξ(δ(ℜ(A))))", "Timepoint mod 3 = 0"),
        (
            "SELECT X FROM R[Sync2](A) EXCEPT SELECT X FROM R[Sync2](B)",
            "ℜ_{Sync2}(A) − ℜ_{Sync2}(B)",
            "ℜ_{Sync2}(ξ(ℜ(A) − ℜ(B)))",
            "Timepoint mod 2 = 0",
        ),
    ],
)
def test_forms(query: str, start: str, form: str, points: str) -> None:
    found = skinned(query)
    assert found.start == start
    assert found.normal_form == form
    assert str(found.sync.points) == points
    assert not found.partial
    assert all(s.sync.is_clock for s in scans(found.data))


def test_points_are_one_simplified_set() -> None:
    found = skinned("SELECT a.ID FROM R[Sync2](A) a JOIN R[Sync3](B) b ON a.ID = b.ID JOIN R[Late](A) c ON a.ID = c.ID")
    assert found.partial
    assert str(found.sync.points) == "Timepoint >= 12 AND Timepoint mod 6 = 0"
    assert [s.rule for s in found.steps] == ["Corollary 3", "Corollary 3"]


def test_the_time_is_an_input_too() -> None:
    found = skinned("SELECT a.ID FROM R(A) a, R(Slide) s WHERE a.TS > s.t - 5")
    assert found.partial
    assert str(found.sync.points) == "Timepoint mod 2 = 0"


def test_a_subquery_is_an_input_too() -> None:
    found = skinned("SELECT a.ID FROM R[Sync2](A) a WHERE EXISTS (SELECT 1 FROM R[Sync3](B) b WHERE b.X > a.X)")
    assert found.partial
    assert found.sync.name == "Sync2 ∩ Sync3"
    assert all(s.sync.is_clock for s in scans(found.data))


@pytest.mark.parametrize(
    "query",
    [
        "SELECT a.ID FROM R[Sync2](A) a WHERE a.X NOT IN (SELECT X FROM R[Sync3](B)) OR a.X > 1 EMIT FULL",
        "SELECT a.ID FROM R[Sync3](A) a, R(Slide) s WHERE a.TS > s.t - 5 EMIT FULL",
    ],
)
def test_full_points_are_those_of_all_inputs(query: str) -> None:
    found = skinned(query)
    assert not found.partial
    assert str(found.sync.points) == "Timepoint mod 6 = 0"


def test_printed_streams_can_be_read() -> None:
    found = skinned("SELECT ID FROM R[`Sync2 ∩ Sync3`](A) WHERE TS > Now[`Sync2 ∩ Sync3`] - 5")
    assert not found.partial
    assert str(found.sync.points) == "Timepoint mod 6 = 0"
    with pytest.raises(BindError, match=r"`Sync5` does not exist"):
        skinned("SELECT ID FROM R[`Sync2 ∩ Sync5`](A)")


def test_text_tells_steps_data_and_time() -> None:
    text = str(skinned("SELECT a.ID FROM R[Sync2](A) a JOIN R[Sync3](B) b ON a.ID = b.ID"))
    assert "Corollary 3" in text
    assert "data: ℜ(A) ⋈ ℜ(B)" in text.replace("(ℜ(A) ⋈ ℜ(B))", "ℜ(A) ⋈ ℜ(B)")
    assert "time: Sync2 ∩ Sync3" in text
    assert "partial states" in text
