"""Large results: one job fills the tables of all parts of a text, and each commits at most once for its number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from syncsql.storage import bulk, limits
from syncsql.storage.scratch import Scratch, Write, commit_all
from syncsql.storage.sessions import child_sessions
from syncsql.storage.table import Table
from syncsql.stream.kept import Part

TEXT = """SELECT id, id % 3 = 0 AS third, id % 2 = 0 AS even, id < 0 AS never, CAST(id AS STRING) AS s,
                 IF(id % 5 = 0, NULL, named_struct('s', 'x', 'd', CAST(id AS DECIMAL(10, 2)))) AS x,
                 timestamp_micros(id) AS t FROM range(0, 1000, 1, 4)"""
INNER = StructType().add("s", "string").add("d", "decimal(10, 2)")
ROW = StructType().add("_n", "long").add("id", "long").add("s", "string").add("x", INNER).add("t", "timestamp")
CELLS = {"_n": "7L", "id": "id", "s": "s", "x": "x", "t": "t"}


@pytest.fixture
def scratch(spark: SparkSession) -> Iterator[Scratch]:
    with child_sessions(spark).scratch(limits.SMALL_ROWS + 1) as large:
        yield large


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many tables each job has filled."""
    seen: list[int] = []
    original = bulk.write

    def counted(frame: Any, places: Any, kernel: Any = None) -> Any:
        seen.append(len(places))
        return original(frame, places, kernel)

    monkeypatch.setattr(bulk, "write", counted)
    return seen


def test_one_job_fills_the_tables_of_all_parts(scratch: Scratch, jobs: list[int], tmp_path: Path) -> None:
    thirds, evens, none = (Table(tmp_path / name, ROW, "id").create() for name in ("thirds", "evens", "none"))
    writes = [Write(none, Part(TEXT, CELLS, "never")), Write(thirds, Part(TEXT, CELLS, "third")),
              Write(evens, Part(TEXT, {**CELLS, "s": "concat(s, '!')"}, "even"))]  # fmt: skip
    assert commit_all(writes, 7, scratch) == 500
    assert jobs == [3]

    rows = thirds.arrow().sort_by("id").to_pylist()
    assert [r["id"] for r in rows] == list(range(0, 1000, 3))
    assert {r["_n"] for r in rows} == {7}
    assert [r["x"] is None for r in rows] == [i % 5 == 0 for i in range(0, 1000, 3)]
    assert evens.arrow().sort_by("id")["s"].to_pylist() == [f"{i}!" for i in range(0, 1000, 2)]
    assert thirds.frame(scratch.session).filter("x.s = 'x' AND x.d = id AND t = timestamp_micros(id)").count() == 267
    # Files are told apart by the statistics of the time column, and no rows are no commit.
    assert (min(f.low or 0 for f in evens.files()), max(f.high or 0 for f in evens.files())) == (0, 998)
    assert 0 < evens.rows(None, 100) < 500
    assert (none.number(), none.delta.version()) == (0, 0)

    # Who has the number already is left as it is.
    assert commit_all(writes, 7, scratch) == 0
    assert (thirds.rows(), evens.rows(), jobs) == (334, 500, [3, 1])


def test_rows_are_replaced_also_by_none(scratch: Scratch, tmp_path: Path) -> None:
    table = Table(tmp_path / "t", StructType().add("id", "long")).create()
    table.write_frame(scratch.session.sql("SELECT id FROM range(10)"), number=1)
    table.write_frame(scratch.session.sql("SELECT id + 1 FROM range(3)"), number=2, overwrite=True, note={"a": "b"})
    assert (table.arrow().sort_by("id")["id"].to_pylist(), table.number()) == ([1, 2, 3], 2)
    assert table.delta.history(1)[0]["a"] == "b"
    table.write_frame(scratch.session.sql("SELECT id FROM range(0)"), number=3, overwrite=True)
    assert (table.rows(), table.number()) == (0, 3)
