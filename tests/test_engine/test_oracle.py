"""At every time point every view of a random world equals what DuckDB returns for it over its inputs at that point."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from syncsql.session import Database, connect
from syncsql.storage import limits
from tests.oracle.definition import Definition, bag
from tests.oracle.replay import replay
from tests.oracle.worlds import LAST, World, world

VIEWS = 25


def build(world_: World, path: Path, spark: SparkSession, cuts: list[int]) -> Database:
    """The world in a database, its input pushed and advanced up to each of ``cuts``."""
    # Every view is computed from what it names, and has tables.
    db = connect(path, spark, sharing=False)
    for statement in world_.statements:
        db.sql(statement)
    done = -1
    for cut in cuts:
        for source, row, at in world_.pushes:
            if done < at <= cut:
                assert db.push(source, [row], at=at).accepted == 1
        db.advance(to=cut)
        done = cut
    return db


def check(db: Database, world_: World) -> None:
    truth = Definition(world_)
    wrong = []
    for query in world_.views:
        stored = db._engine.registry.feeds[query.name.lower()]
        visible = list(stored.visible)
        try:
            relations = replay(stored, visible, LAST)
            for t in range(LAST + 1):
                expected, found = bag(truth.relation(query.name, t)), bag(relations[t])
                if expected != found:
                    parts = f"missing {expected - found}, too much {found - expected}"
                    wrong.append(f"{query.name} at {t}: {parts}\n{query.syncsql()}")
                    break
        except AssertionError as error:
            wrong.append(f"{query.name}: {error}\n{query.syncsql()}")
    assert not wrong, f"world {world_.seed}:\n" + "\n".join(wrong)


def random_cuts(rng: random.Random) -> list[int]:
    return sorted({*rng.sample(range(LAST), rng.randrange(0, 3)), LAST})


def run(seed: int, path: Path, spark: SparkSession) -> None:
    world_ = world(seed, VIEWS)
    with build(world_, path, spark, random_cuts(random.Random(seed))) as db:
        check(db, world_)


@pytest.mark.parametrize("seed", range(12))
def test_views_equal_duckdb_at_every_point(seed: int, tmp_path: Path, spark: SparkSession) -> None:
    run(seed, tmp_path / "db", spark)


@pytest.mark.parametrize("seed", range(100, 101))
def test_large_slices_equal_duckdb_too(
    seed: int, tmp_path: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing counts as small here, so everything takes the way of large slices: files, caches, tasks that write."""
    monkeypatch.setattr(limits, "SMALL_ROWS", 0)
    world_ = world(seed, 7)
    with build(world_, tmp_path / "db", spark, [5, LAST]) as db:
        check(db, world_)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(1000, 1100))
def test_views_equal_duckdb_at_every_point_sweep(seed: int, tmp_path: Path, spark: SparkSession) -> None:
    run(seed, tmp_path / "db", spark)
