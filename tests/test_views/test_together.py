"""Many queries answered together give each the stream that it has alone."""

from __future__ import annotations

import random

import pytest
from pyspark.sql import DataFrame

from syncsql.dataflow.together import groups_of
from syncsql.errors import EngineError
from syncsql.session import Database

SETUP = """
REGISTER SOURCE Src (k STRING, v INT);
CREATE STREAM Keyed OVER Src KEY k;
CREATE STREAM Bag OVER Src KEY NULL;
CREATE STREAMED VIEW Sync3 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 3 = 0;
CREATE STREAMED VIEW Base AS SELECT k, v FROM R(Keyed) WHERE v >= 0;
CREATE STREAMED VIEW All3 AS SELECT k, v FROM R[Sync3](Bag)
"""
FAMILIES = (
    [f"SELECT k, v FROM R(Base) WHERE v > {c}" for c in range(12)],
    [f"SELECT k, v + {c} AS v FROM R[Sync3](Keyed) WHERE v > 1 AND k = '{'abcd'[c % 4]}'" for c in range(6)],
    [f"SELECT k, v FROM R(All3) WHERE v BETWEEN {c} AND {c + 3} OR v IS NULL" for c in range(6)],
)


def rows(frame: DataFrame) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in frame.toArrow().to_pylist()]


def push(db: Database, rng: random.Random, at: int) -> None:
    given = [(rng.choice("abcd"), rng.choice((None, *range(12)))) for _ in range(rng.randrange(5))]
    db.push("Src", given, at=at)
    db.advance(to=at)


def test_each_stream_is_the_same_together(db: Database) -> None:
    rng = random.Random(1)
    db.sql(SETUP)
    push(db, rng, 0)
    for family, queries in enumerate(FAMILIES):
        for number, query in enumerate(queries):
            db.sql(f"CREATE VIRTUAL STREAMED VIEW V{family}_{number} AS {query}")
    for at in range(1, 14):
        push(db, rng, at)
    for family, queries in enumerate(FAMILIES):
        names = [f"V{family}_{n}" for n in range(len(queries))]
        views = [db.views[n]._entry for n in names]
        groups, alone = groups_of(views, None, 13)
        assert [len(g.places) for g in groups] == [len(queries)]
        assert not alone
        for since in (None, 6):
            found: dict[object, list[tuple[object, ...]]] = {n: [] for n in names}
            for name, *line in rows(db.changes(names, since=since)):
                found[name].append(tuple(line))
            for name in names:
                assert found[name] == rows(db.views[name].changes(since=since)), f"{name} since {since}"
        assert any(found.values())


def test_queries_and_stored_views_go_together_too(db: Database) -> None:
    db.sql(SETUP)
    db.sql("CREATE MATERIALIZED STREAMED VIEW Kept AS SELECT k, v FROM R(Base) WHERE v > 3")
    queries = [db.sql(f"SELECT STREAMED k, v FROM R(Base) WHERE v > {c}") for c in (1, 5)]
    db.push("Src", [("a", 4), ("b", 7)], at=1)
    db.advance(to=1)
    found = rows(db.changes([*queries, "Kept", "Base"]))  # type: ignore[list-item]
    by = {name: [r[1:] for r in found if r[0] == name] for name in {r[0] for r in found}}
    both, one = [("+", "a", 4, 1), ("+", "b", 7, 1)], [("+", "b", 7, 1)]
    assert by == {"Kept": both, "Base": both, queries[0].name: both, queries[1].name: one}  # type: ignore[union-attr]


def test_streams_of_other_columns_are_refused(db: Database) -> None:
    db.sql(SETUP)
    db.sql("CREATE VIEW Sums AS SELECT k, sum(v) AS v FROM R(Bag) GROUP BY k")
    with pytest.raises(EngineError, match=r"CHANGES\.COLUMNS.*the key"):
        db.changes(["Base", "Sums"])
    with pytest.raises(EngineError, match=r"CHANGES\.NOTHING"):
        db.changes([])
