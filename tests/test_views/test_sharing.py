"""Sharing never changes an answer: the same life of a database, with sharing and without, gives the same streams and
relations at every point, with drops, replacements and restarts in between."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from syncsql.dataflow.registry import Stream
from syncsql.session import Database, connect
from tests.oracle.families import LAST, SETUP, Life, Step, life

VIEWS = 18


def live(told: Life, path: Path, spark: SparkSession, sharing: bool, restarts: set[int]) -> Database:
    db = connect(path, spark, sharing=sharing)
    db.sql(SETUP)
    for number, step in enumerate(told.steps):
        if number in restarts:
            db.close()
            db = connect(path, spark, sharing=sharing)
        carry_out(db, step)
    return db


def carry_out(db: Database, step: Step) -> None:
    if step.kind == "sql":
        db.sql(step.text)
    elif step.kind == "push":
        assert db.push(step.text, list(step.rows), at=step.at).accepted == len(step.rows)
    else:
        db.advance(to=step.at)


def compare(shared: Database, alone: Database, told: Life, rng: random.Random) -> None:
    for name, query in told.views.items():
        one, other = shared.views[name], alone.views[name]
        said = f"{name}: {query}\n{one.describe()}\n{one.decision}"
        expected = rows(other.changes())
        assert rows(one.changes()) == expected, said
        since = rng.randrange(-1, LAST)
        assert rows(one.changes(since=since)) == [r for r in expected if r[-1] > since], f"since {since}: {said}"
        at = rng.randrange(max(0, other._entry.created), LAST + 1)
        assert sorted(rows(one.relation(at)), key=repr) == sorted(rows(other.relation(at)), key=repr), f"{at}: {said}"
        if rng.random() < 0.3:
            assert rows(one.points()) == rows(other.points()), said


def rows(frame: DataFrame) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in frame.toArrow().to_pylist()]


def both(seed: int, path: Path, spark: SparkSession) -> tuple[int, int, int]:
    """How many views there are in the end, how many are answered from others, and how many of them are virtual."""
    told = life(seed, VIEWS)
    rng = random.Random(seed)
    restarts = set(rng.sample(range(len(told.steps)), 2))
    with (
        live(told, path / "shared", spark, True, restarts) as shared,
        live(told, path / "alone", spark, False, set()) as alone,
    ):
        compare(shared, alone, told, rng)
        report = shared.sharing().to_dict()["rows"]
        return (
            len(report),
            sum(r["answered from"] is not None for r in report),
            sum(r["runs"] == "virtual" for r in report),
        )


def test_streams_and_relations_are_the_same_with_sharing_and_without(tmp_path: Path, spark: SparkSession) -> None:
    views, answered = 0, 0
    for seed in range(3):
        of, from_views, _ = both(seed, tmp_path / str(seed), spark)
        views, answered = views + of, answered + from_views
    # A planner that never shares could not fail here otherwise.
    assert answered >= views // 4


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(100, 160))
def test_the_same_with_sharing_sweep(seed: int, tmp_path: Path, spark: SparkSession) -> None:
    both(seed, tmp_path, spark)


def test_a_view_is_not_taken_for_larger_than_its_base(spark: SparkSession, tmp_path: Path) -> None:
    """The log of a view may be long where that of its base was just folded; what counts is the rows there are."""
    with connect(tmp_path, spark) as db:
        db.sql("""
            REGISTER SOURCE Src (k INT, v INT);
            CREATE STREAM S OVER Src KEY k;
            CREATE VIEW Most AS SELECT k, v FROM R(S) WHERE v > 0
        """)
        for at in range(1, 5):
            db.push("Src", [(k, at + k) for k in range(100)], at=at)
            db.advance(to=at)
        entry = db._engine.registry.get("S")
        assert isinstance(entry, Stream)
        with db._engine.sessions.scratch(0) as scratch:
            entry.stored.fold(scratch, 4, db._engine.number)
        assert entry.stored.size(None) < db._engine.registry.feeds["most"].size(None)
        db.sql("CREATE VIEW Some AS SELECT k FROM R(S) WHERE v > 50")
        assert db.views["Some"].decision.to_dict()["answered_from"] == "Most"


def test_nothing_is_shared_where_an_overflow_is_a_number(spark: SparkSession, tmp_path: Path) -> None:
    """That i + 1 > i holds of every i is only true where the greatest one is an error."""
    session = spark.newSession()
    session.conf.set("spark.sql.ansi.enabled", "false")
    with connect(tmp_path / "db", session) as db:
        db.sql("""
            REGISTER SOURCE Src (k INT NOT NULL, i INT NOT NULL); CREATE STREAM S OVER Src KEY k;
            CREATE STREAMED VIEW V AS SELECT k, i FROM R(S) WHERE i + 1 > i;
            CREATE STREAMED VIEW W AS SELECT k, i FROM R(S)
        """)
        db.push("Src", [(1, 2**31 - 1)], at=1)
        db.advance(to=1)
        assert db.views.W.relation().count() == 1
        assert db.views.W.verify().ok
