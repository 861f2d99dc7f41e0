"""A handle stands for what the catalog has under its name when it is used, also where another process changes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from syncsql.errors import SyncSQLError
from syncsql.session import Database, connect


def rows(frame: Any) -> list[tuple[Any, ...]]:
    return sorted(tuple(r.values()) for r in frame.toArrow().to_pylist())


@pytest.fixture
def both(spark: SparkSession, tmp_path: Path) -> Iterator[tuple[Database, Database]]:
    """A database that one opened for writing and another for reading."""
    with connect(tmp_path / "db", spark) as writer:
        writer.sql("""
            REGISTER SOURCE Src (k INT, v INT); CREATE STREAM S OVER Src KEY k;
            CREATE STREAMED VIEW V AS SELECT k, v FROM R(S) WHERE v > 0;
            CREATE MATERIALIZED STREAMED VIEW Total AS SELECT sum(v) AS s FROM R(S)
        """)
        writer.push("Src", [(1, 1)], at=1)
        writer.advance(to=1)
        with connect(tmp_path / "db", spark, read_only=True) as reader:
            yield writer, reader


def test_a_reader_sees_what_came_after_a_change_of_the_catalog(both: tuple[Database, Database]) -> None:
    writer, reader = both
    stream, view, total = reader.streams.S, reader.views.V, reader.views.Total
    assert rows(total.relation()) == [(1,)]
    writer.sql("CREATE STREAMED VIEW Other AS SELECT k FROM R(S)")
    writer.push("Src", [(2, 2)], at=2)
    writer.advance(to=2)
    assert rows(stream.changes()) == rows(view.changes()) == [("+", 1, 1, 1), ("+", 2, 2, 2)]
    assert rows(total.relation()) == [(3,)]
    assert rows(total.points()) == [(0, True), (1, True), (2, True)]


def test_a_view_that_was_replaced_or_dropped(both: tuple[Database, Database]) -> None:
    writer, reader = both
    handles = [writer.views.Total, reader.views.Total]
    writer.sql("CREATE OR REPLACE MATERIALIZED STREAMED VIEW Total AS SELECT 10 * sum(v) AS t FROM R(S)")
    for handle in handles:
        assert rows(handle.relation()) == [(10,)]
    writer.sql("DROP VIEW Total")
    for handle in handles:
        with pytest.raises(SyncSQLError, match=r"CATALOG.DROPPED\] view `Total` was dropped"):
            handle.relation()
        assert "t BIGINT" in repr(handle)


def test_a_query_over_a_view_that_was_replaced_or_dropped(both: tuple[Database, Database]) -> None:
    writer, _ = both
    text = "SELECT STREAMED count(*) AS n FROM R(V)"
    query: Any = writer.sql(text)
    assert rows(query.relation()) == [(1,)]
    writer.sql("CREATE OR REPLACE STREAMED VIEW V AS SELECT k, v FROM R(S) WHERE v > 5")
    with pytest.raises(SyncSQLError, match=r"QUERY.INPUT_GONE\] `V`, .* was replaced"):
        query.relation()
    query = writer.sql(text)
    assert rows(query.relation()) == [(0,)]
    writer.sql("DROP VIEW V")
    with pytest.raises(SyncSQLError, match=r"`V`, .* was dropped"):
        query.changes()
