"""Commits as Delta's readers see them, beside those of others, and at most once for a number."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake
from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from syncsql.session import connect
from syncsql.storage import table as table_module
from syncsql.storage.deltalog import commit
from syncsql.storage.stored import Stored
from syncsql.storage.table import Table

ROW = StructType().add("at", "long").add("text", "string").add("t", "timestamp_ntz")


def made(path: Path) -> Table:
    return Table(path / "table", ROW, "at").create()


def rows(*at: int) -> pa.Table:
    return pa.table({"at": at, "text": [f"ä\n{n}" for n in at], "t": pa.nulls(len(at), pa.timestamp("us"))})


def test_other_readers_see_the_same(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Appends, replacements and empty commits, with checkpoints in between."""
    monkeypatch.setattr(table_module, "_CHECKPOINT", 4)
    table, rng = made(tmp_path), random.Random(5)
    held: Counter[int] = Counter()
    for number in range(1, 20):
        new, overwrite = [number * 10 + i for i in range(rng.randrange(3))], rng.random() < 0.3
        table.write(rows(*new), number=number, overwrite=overwrite, note={"step": str(number)})
        held = Counter(new) if overwrite else held + Counter(new)
        assert (table.rows(), table.number(), table.version) == (held.total(), number, number)
    assert (table.path / "_delta_log" / "_last_checkpoint").exists()
    again = Table(table.path, ROW, "at")
    assert sorted((f.path, f.rows, f.low, f.high) for f in again.files()) == sorted(
        (f.path, f.rows, f.low, f.high) for f in table.files()
    )
    assert (again.number(), again.version, again.history()[0]["step"]) == (19, 19, "19")
    assert Counter(DeltaTable(str(table.path)).to_pyarrow_table()["at"].to_pylist()) == held
    seen = spark.read.format("delta").load(str(table.path)).collect()
    assert Counter(r["at"] for r in seen) == held
    assert {r["text"] for r in seen} == {f"ä\n{n}" for n in held}


def test_commits_of_others_come_between(spark: SparkSession, tmp_path: Path) -> None:
    table = made(tmp_path)
    table.write(rows(1), number=1)
    table.write(rows(2), number=2)
    spark.sql(f"OPTIMIZE delta.`{table.path}`").collect()
    table.write(rows(3), number=3)
    assert (table.rows(), table.version, len(table.files())) == (3, 4, 2)
    write_deltalake(str(table.path), rows(4), mode="append")
    table.write(rows(9), number=4, overwrite=True)
    assert DeltaTable(str(table.path)).to_pyarrow_table()["at"].to_pylist() == [9]


def test_a_number_is_committed_once_by_whomever(tmp_path: Path) -> None:
    one, other = made(tmp_path), made(tmp_path)
    assert (one.number(), other.number()) == (0, 0)
    one.write(rows(1), number=1)
    # The other one has not seen it, finds its version taken, and looks again.
    other.write(rows(2), number=1)
    other.write(rows(3), number=1, application="another")
    assert one.refresh()
    assert not one.refresh()
    assert sorted(one.arrow()["at"].to_pylist()) == [1, 3]
    assert (one.number(), one.number("another"), one.number("nobody")) == (1, 1, 0)


def test_a_commit_is_there_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    table = made(tmp_path)
    assert commit(table.path, 1, "{}")
    assert not commit(table.path, 1, "something else")
    log = table.path / "_delta_log"
    assert sorted(f.name for f in log.iterdir()) == [f"{n:020}.json" for n in (0, 1)]
    assert (log / f"{1:020}.json").read_text() == "{}"


def test_rows_of_relations_are_counted_without_a_job(spark: SparkSession, tmp_path: Path) -> None:
    """Of streams and views, with and without a key, whether their relations were folded or not."""
    rng = random.Random(11)
    with connect(tmp_path, spark, sharing=False) as db:
        db.sql("""
            REGISTER SOURCE Src (k INT, v INT, op STRING);
            CREATE STREAM Keyed OVER Src KEY k;
            CREATE STREAM Bag OVER Src KEY NULL OPERATION BY op;
            CREATE STREAMED VIEW High AS SELECT k, v FROM R(Keyed) WHERE v > 4;
            CREATE COMPLETE VIEW Low AS SELECT v, count(*) AS n FROM R(Bag) WHERE v < 6 GROUP BY v;
            CREATE STREAMED VIEW Values AS SELECT v FROM R(Keyed)
        """)
        for at in range(1, 8):
            db.push("Src", [(rng.randrange(20), rng.randrange(10), rng.choice("+++-")) for _ in range(15)], at=at)
            db.advance(to=at)
        handles = {**{s: db.streams[s] for s in db.streams}, **{v: db.views[v] for v in db.views}}
        for name, handle in handles.items():
            feed = db._engine.registry.feeds[name.lower()]
            assert isinstance(feed, Stored)
            assert feed.count() == handle.relation().count() > 0, name
