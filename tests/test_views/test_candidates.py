"""Views of a database as candidates: they follow the registry, and what is answered from them has the same stream."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from matcher.decide import FAILED
from matcher.verdict import Match, Unknown
from syncsql.algebra.relations import Node
from syncsql.dataflow.registry import View
from syncsql.dataflow.run import row_of
from syncsql.dataflow.view import Continuous, Execution
from syncsql.language import Query, parse_statement
from syncsql.session import Database, connect
from syncsql.storage.stored import Stored
from views.candidates import Candidates, StoredRows, answered_from

LAST = 12
SETUP = """
REGISTER SOURCE Src (k INT, g INT, v INT, d DECIMAL(10, 2), s STRING);
CREATE STREAM Keyed OVER Src KEY k;
CREATE STREAM Bag OVER Src KEY NULL;
CREATE STREAMED VIEW Sync2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 2 = 0;
CREATE STREAMED VIEW Sync4 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 4 = 0;
CREATE STREAMED VIEW Sync3 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 3 = 0;
CREATE STREAMED VIEW Some AS SELECT k, g, v, s FROM R(Keyed) WHERE v > 2;
CREATE STREAMED VIEW Shown AS SELECT v, s FROM R(Keyed) WHERE v > 3;
CREATE STREAMED VIEW Rows2 AS SELECT g, v, d FROM R[Sync2](Bag) WHERE v IS NOT NULL;
CREATE STREAMED VIEW Groups AS
    SELECT k, g, count(*) AS n, sum(v) AS total, sum(d) AS money, max(v) AS top FROM R(Bag) GROUP BY k, g;
CREATE STREAMED VIEW Counts AS SELECT count(*) AS n FROM R(Bag) GROUP BY g;
CREATE STREAMED VIEW Pairs AS
    SELECT a.k, a.v, b.g, b.s FROM R[Sync2](Keyed) a JOIN R[Sync3](Bag) b ON a.k = b.k;
CREATE STREAMED VIEW Kinds AS SELECT DISTINCT g, s FROM R(Bag)
"""
# Queries, and the view that each is answered from.
SHARED = (
    ("SELECT k, v FROM R(Keyed) WHERE v > 4", "Some"),
    ("SELECT v FROM R(Keyed) WHERE v > 4 AND s = 'a'", "Some"),
    ("SELECT s, v + 1 AS w FROM R[Sync4](Keyed) WHERE v > 2", "Some"),
    ("SELECT v FROM R(Keyed) WHERE v > 3", "Shown"),
    ("SELECT g FROM R[Sync4](Bag) WHERE v > 1", "Rows2"),
    ("SELECT g, sum(v) AS t FROM R[Sync2](Bag) WHERE v > 1 GROUP BY g", "Rows2"),
    ("SELECT g, count(*) AS n FROM R[Sync3](Bag) GROUP BY g", "Groups"),
    ("SELECT sum(v) AS t, max(v) AS top FROM R(Bag)", "Groups"),
    ("SELECT k, sum(d) AS m FROM R(Bag) GROUP BY k", "Groups"),
    ("SELECT sum(v) AS t FROM R[Sync4](Bag) WHERE g = 1 GROUP BY k", "Groups"),
    ("SELECT count(*) AS n FROM R(Bag) GROUP BY g", "Counts"),
    ("SELECT a.k, b.s FROM R[Sync2](Keyed) a JOIN R[Sync3](Bag) b ON a.k = b.k WHERE a.v > 3", "Some"),
    ("SELECT b.s FROM R[Sync2](Keyed) a JOIN R[Sync3](Bag) b ON a.k = b.k WHERE b.g > 0 EMIT FULL", "Pairs"),
    ("SELECT a.k, a.v, b.g, b.s FROM R[Sync2](Keyed) a JOIN R[Sync3](Bag) b ON a.k = b.k", "Pairs"),
    ("SELECT DISTINCT s FROM R(Bag) WHERE g < 2", "Kinds"),
    ("SELECT k, v FROM R(Some) WHERE v > 6", "Some"),
)


@pytest.fixture(scope="module")
def base(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Any:
    # Every view has tables of its own here, so that each is a candidate.
    with connect(tmp_path_factory.mktemp("shared") / "db", spark, sharing=False) as db:
        db.sql(SETUP)
        for at in range(LAST + 1):
            rows = [((at + i) % 4, (at * i) % 3, (at * 7 + i * 5) % 10 if (at + i) % 5 else None,
                     f"{at}.{i}0", "ab"[i % 2]) for i in range(1 + at % 3)]  # fmt: skip
            assert db.push("Src", rows, at=at).accepted == len(rows)
            if at in (3, 8):
                db.advance(to=at)
        db.advance(to=LAST)
        yield db


def query(text: str) -> Query:
    found = parse_statement(text)
    assert isinstance(found, Query)
    return found


@pytest.fixture
def db(spark: SparkSession, tmp_path: Path) -> Iterator[Database]:
    with connect(tmp_path / "db", spark, sharing=False) as database:
        yield database


def lines(db: Database, continuous: Continuous, plan: Node, home: Path) -> Counter[tuple[str, ...]]:
    """What the log of a query holds that is run by ``plan`` from the beginning, in two slices."""
    row = row_of(continuous, plan, db._engine.registry.feeds, db._engine.sessions, home)
    stored = Stored("q", row, continuous.key_names, continuous.append_only, {}, home, "q").create()
    definition = db._engine.registry.views()[-1].definition
    view = View(definition, continuous, Execution(plan, "q"), stored, home, "q", -1)
    for number, (start, end) in enumerate(((-1, 5), (5, LAST)), start=1):
        db._engine.runner.run(view, start, end, number)
    found = stored.log.arrow().drop_columns(["_seq"]).to_pylist()
    return Counter(tuple(str(value) for value in line.values()) for line in found)


@pytest.mark.parametrize(("text", "view"), SHARED, ids=[t for t, _ in SHARED])
def test_the_stream_is_the_same_from_a_view(base: Database, text: str, view: str, tmp_path: Path) -> None:
    registry = base._engine.registry
    decision = Candidates(registry).decide(query(text), every=True)
    matches = [v for _, v in decision.verdicts if isinstance(v, Match)]
    assert view in [m.view for m in matches], str(decision)
    own = Continuous.of(query(text), registry, base._engine.tick_seconds)
    row = row_of(own, own.plan, registry.feeds, base._engine.sessions, tmp_path)
    types = [f.dataType.simpleString().upper() for f in row.fields]
    expected = lines(base, own, own.plan, tmp_path / "own")
    assert expected
    for match in matches:
        plan = answered_from(own, match, types)
        assert match.view.lower() in Execution(plan, "q").inputs
        assert row_of(own, plan, registry.feeds, base._engine.sessions, tmp_path) == row
        assert lines(base, own, plan, tmp_path / match.view) == expected, match.view


def test_candidates_follow_the_registry(db: Database) -> None:
    db.sql(SETUP)
    candidates = Candidates(db._engine.registry)
    text = "SELECT k FROM R(Keyed) WHERE v > 4"

    def chosen(*but_not: str) -> str | None:
        found = candidates.decide(query(text), but_not=but_not).chosen
        return found.view if found else None

    assert chosen() == "Some"
    assert chosen("some", "Pairs") is None
    kept = {n: v for n, v in candidates.workspace.views.items() if n != "some"}
    db.sql("CREATE OR REPLACE VIEW Some AS SELECT k, v FROM R(Keyed) WHERE v > 5")
    assert chosen() is None
    db.sql("CREATE VIEW Again AS SELECT k, v FROM R(Keyed) WHERE v > 4")
    assert chosen() == "Again"
    assert {n: candidates.workspace.views[n] for n in kept} == kept
    assert all(candidates.workspace.views[n] is view for n, view in kept.items())
    db.sql("DROP VIEW Again")
    assert chosen() is None
    assert "sync2" not in candidates.workspace.views
    assert candidates.workspace.find("Sync2") is not None


def test_a_view_keeps_its_meaning_when_its_sync_stream_is_replaced(db: Database) -> None:
    db.sql(SETUP)
    db.sql("CREATE OR REPLACE VIEW Sync2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 5 = 0")
    candidates = Candidates(db._engine.registry)
    assert candidates.decide(query("SELECT g FROM R[Sync4](Bag) WHERE v > 1")).chosen is not None
    assert candidates.decide(query("SELECT g FROM R[Sync2](Bag) WHERE v > 1")).chosen is None


def test_a_reader_who_reads_the_catalog_again_binds_nothing_anew(db: Database) -> None:
    db.sql(SETUP)
    with connect(db._engine.root, db.spark, read_only=True) as reader:
        candidates = Candidates(reader._engine.registry)
        candidates.refresh()
        before = dict(candidates.workspace.views)
        db.sql("CREATE VIEW Again AS SELECT k, v FROM R(Keyed) WHERE v > 4")
        assert "Again" in list(reader.views)
        candidates.refresh()
        assert all(candidates.workspace.views[n] is view for n, view in before.items())
        assert "again" in candidates.workspace.views


def test_without_a_budget_nothing_is_shared(db: Database) -> None:
    db.sql(SETUP)
    decision = Candidates(db._engine.registry, budget_ms=0).decide(query(SHARED[0][0]), every=True, evidence=True)
    assert decision.chosen is None
    assert all(isinstance(v, Unknown) for _, v in decision.verdicts)


def test_a_mistake_of_the_matcher_is_no_error_of_the_query(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    db.sql(SETUP)

    def broken(*_: object) -> None:
        raise KeyError("x")

    for place in ("matcher.rewrite.match_block", "matcher.index.ViewIndex.candidates", "matcher.workspace.simplify"):
        with monkeypatch.context() as patch:
            patch.setattr(place, broken)
            decision = Candidates(db._engine.registry).decide(query(SHARED[0][0]), every=True)
        assert decision.chosen is None
        assert FAILED in str(decision), place


def test_rows_are_known_from_the_tables(base: Database) -> None:
    rows = StoredRows(base._engine.registry)
    assert set(rows) == {"keyed", "bag", "some", "shown", "rows2", "groups", "counts", "pairs", "kinds"}
    assert rows["bag"] == sum(1 + at % 3 for at in range(LAST + 1))
    assert "sync2" not in rows
