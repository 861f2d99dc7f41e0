"""An answer never depends on how the input was cut into pushes and advances (invariant a): the same streams, line by
line, from databases that got the same input in different pieces."""

from __future__ import annotations

import random
from decimal import Decimal
from pathlib import Path

import pytest
from deltalake import DeltaTable
from pyspark.sql import SparkSession

from syncsql.session import Database, connect
from syncsql.storage import limits
from tests.crash.tables import lines
from tests.oracle.cuts import Cut, Given, random_cut, whole
from tests.oracle.worlds import LAST, World, world

# Time goes on after the last tuple, so that rows leave their windows in advances without input.
MIDDLE, END = 5, LAST + 6

_DOUBLES = (
    float("nan"),
    float("inf"),
    float("-inf"),
    1e308,
    -1e308,
    1e16,
    1.0,
    0.1,
    0.2,
    -0.3,
    1e-300,
    5e-324,
    -0.0,
    None,
)
_DECIMALS = (Decimal("0.01"), Decimal("-99999999.99"), Decimal("12.50"), Decimal(0), None)

SPECIAL = [
    "REGISTER SOURCE Num (k INT, g INT, d DOUBLE, m DECIMAL(10, 2), t BIGINT) TIMESTAMP BY t",
    "CREATE STREAM Nums OVER Num KEY k",
    "CREATE STREAM NumBag OVER Num KEY NULL",
    # Floating point and decimals, with rows that go away again.
    "CREATE STREAMED VIEW Floats AS SELECT g, sum(d) AS s, avg(d) AS a, min(d) AS lo, max(d) AS hi "
    "FROM R(Nums) GROUP BY g",
    "CREATE STREAMED VIEW Grow AS SELECT sum(d) AS s, max(d) AS hi, min(m) AS lo FROM R[Hot](NumBag)",
    "CREATE COMPLETE VIEW Decimals AS SELECT g, sum(m) AS s, avg(m) AS a, min(m) AS lo, max(m) AS hi "
    "FROM R[Sync3](Nums) GROUP BY g",
    # Windows on the time.
    "CREATE STREAMED VIEW Window AS SELECT k, d FROM R(NumBag) WHERE Now - 4 < TS AND TS <= Now",
    "CREATE STREAMED VIEW WindowSums AS SELECT g, sum(d) AS s, min(m) AS lo, count(*) AS n "
    "FROM R(NumBag) WHERE Now - 4 < TS AND TS <= Now GROUP BY g",
    "CREATE STREAMED VIEW WindowView AS SELECT x.k, x.m FROM R(Nums) x, R(NowView) n "
    "WHERE n.currTime - 3 < x.TS AND x.TS <= n.currTime",
    "CREATE COMPLETE VIEW Slide AS SELECT x.* FROM R[Sync2](NumBag) x, R(Slide2) n "
    "WHERE n.currTime - 5 < x.TS AND x.TS <= n.currTime",
    "CREATE STREAMED VIEW Lagging AS SELECT g, count(*) AS n FROM R[Sync3](Nums) WHERE TS <= Now - 2 GROUP BY g",
    # Joins, with partial points and without.
    "CREATE STREAMED VIEW Self AS SELECT a.k, b.k AS k2, a.d + b.d AS d FROM R(Nums) a, R[Sync3](Nums) b "
    "WHERE a.g = b.g",
    "CREATE STREAMED VIEW Partial AS SELECT a.k, a.m, b.v FROM R[Sync2](Nums) a, R[Hot](Keyed) b WHERE a.k = b.k",
    "CREATE STREAMED VIEW Full AS SELECT a.k, a.m, b.v FROM R[Sync2](Nums) a, R[Sync3](Keyed) b WHERE a.k = b.k "
    "EMIT FULL",
    "CREATE STREAMED VIEW FullEvents AS SELECT count(*) AS n FROM R[Hot](Nums) a, R[Sync2](Keyed) b EMIT FULL",
    # Views over these.
    "CREATE COMPLETE VIEW Deep AS SELECT count(*) AS n, sum(s) AS s, max(hi) AS hi FROM R[Sync2](Floats)",
    "CREATE STREAMED VIEW Deeper AS SELECT DISTINCT n, lo FROM R(WindowSums) WHERE Now - 9 < TS",
]
# Made when the time is at MIDDLE: they begin with the relations of then, however those came about.
LATE = [
    "CREATE STREAM NewBag OVER Cdc KEY NULL OPERATION BY op",
    "CREATE STREAMED VIEW NewSums AS SELECT g, sum(d) AS s, min(d) AS lo FROM R[Sync2](Nums) GROUP BY g",
    "CREATE STREAMED VIEW NewWindow AS SELECT g, count(*) AS n FROM R(NumBag) WHERE Now - 4 < TS AND TS <= Now "
    "GROUP BY g",
    "CREATE COMPLETE VIEW NewJoin AS SELECT a.k, a.n, b.s FROM R(NewBag) x, R[Hot](Tagged) b, "
    "(SELECT k, count(*) AS n FROM R(Bag) GROUP BY k) a WHERE a.k = b.k AND x.k = a.k",
]


def given(world_: World, rng: random.Random) -> list[Given]:
    """The world's own input, and one of difficult numbers."""
    rows = [Given(source, at, row) for source, row, at in world_.pushes]
    for at in range(LAST + 1):
        for _ in range(rng.choice((0, 1, 2, 4))):
            row = (rng.randrange(4), rng.randrange(2), rng.choice(_DOUBLES), rng.choice(_DECIMALS), at)
            rows.append(Given("Num", at, row))
    return rows


def build(world_: World, statements: list[str], path: Path, spark: SparkSession, cut: Cut) -> Database:
    db = connect(path, spark)
    for statement in [*world_.statements, *statements]:
        db.sql(statement)
    for pushes, to in cut.steps:
        for push in pushes:
            at = None if push.source == "Num" else push.at
            assert db.push(push.source, list(push.rows), at=at).quarantined == 0
        db.advance(to=to)
        if to == MIDDLE:
            for statement in LATE:
                db.sql(statement)
    return db


def read(db: Database) -> dict[str, list[str]]:
    """What does not depend on the cut: of tuples and quarantine the order within a timestamp, of streams everything."""
    found = {}
    for name in db.sources:
        tuples = db.sources[name].tuples().toArrow().to_pylist()
        found[f"tuples {name}"] = [repr(r) for r in sorted(tuples, key=lambda r: r["ts"])]
        rejected = db.sources[name].quarantine().drop("push", "position")
        found[f"quarantine {name}"] = sorted(lines(rejected))
    for name in db.streams:
        found[f"stream {name}"] = lines(db.streams[name].changes())
    for name in db.views:
        view = db.views[name]
        found[f"view {name}"] = lines(view.changes())
        if view.mode == "COMPLETE":
            found[f"relation {name}"] = sorted(lines(view.relation()))
    logs = db._engine.root / "streams"
    for path in sorted(logs.iterdir()):
        found[f"points {path.name}"] = _points(path)
    return found


def _points(log: Path) -> list[str]:
    """The points of a stream, and whether they are full."""
    rows = DeltaTable(str(log)).to_pyarrow_table(columns=["_at", "_full"]).to_pylist()
    return sorted({f"{r['_at']:04} {r['_full']}" for r in rows})


def same_streams(world_: World, rows: list[Given], cuts: list[Cut], home: Path, spark: SparkSession) -> None:
    with build(world_, SPECIAL, home / "whole", spark, whole(rows, [MIDDLE, END])) as db:
        expected = read(db)
    assert sum(len(v) for v in expected.values()) > 500, "a world in which nothing happens"
    wrong = []
    for number, cut in enumerate(cuts):
        with build(world_, SPECIAL, home / f"cut{number}", spark, cut) as db:
            found = read(db)
        assert found.keys() == expected.keys()
        for name, wanted in expected.items():
            if found[name] != wanted:
                pair = next((p for p in zip(wanted, found[name], strict=False) if p[0] != p[1]), None)
                first = pair or f"{len(wanted)} lines, found {len(found[name])}"
                wrong.append(f"{name} ({cut}): {first}\n{_text(world_, name)}")
    assert not wrong, f"world {world_.seed}:\n" + "\n".join(wrong)


def _text(world_: World, name: str) -> str:
    word = name.split()[1].lower()
    return "\n".join(
        s for s in [*world_.statements, *SPECIAL, *LATE] if f" {word} " in s.lower().split(" as ")[0] + " "
    )


def run(seed: int, views: int, advances: tuple[int, ...], home: Path, spark: SparkSession) -> None:
    rng = random.Random(seed)
    world_ = world(seed, views)
    rows = given(world_, rng)
    cuts = [random_cut(rows, [MIDDLE, END], rng, n, single=i % 2 == 0) for i, n in enumerate(advances)]
    same_streams(world_, rows, cuts, home, spark)


def test_streams_do_not_depend_on_cuts(tmp_path: Path, spark: SparkSession) -> None:
    run(7000, 6, (5, 3), tmp_path, spark)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(7001, 7031))
def test_streams_do_not_depend_on_cuts_sweep(seed: int, tmp_path: Path, spark: SparkSession) -> None:
    run(seed, 20, (10, 3, 5), tmp_path, spark)


@pytest.mark.sweep
def test_streams_do_not_depend_on_how_results_are_handled(
    tmp_path: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same streams where no result is small enough to be held in this process."""
    rng = random.Random(7100)
    world_ = world(7100, 4)
    rows = given(world_, rng)
    with build(world_, SPECIAL, tmp_path / "small", spark, whole(rows, [MIDDLE, END])) as db:
        expected = read(db)
    monkeypatch.setattr(limits, "SMALL_ROWS", 0)
    with build(world_, SPECIAL, tmp_path / "large", spark, random_cut(rows, [MIDDLE, END], rng, 3, single=False)) as db:
        found = read(db)
    assert {n for n in expected if found[n] != expected[n]} == set()
