"""What cannot be carried out is left undone as a whole, and can be put right afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from syncsql.dataflow import engine
from syncsql.errors import EngineError, SyncSQLError
from syncsql.session import Database, connect
from syncsql.storage import limits
from syncsql.storage.feed import RETENTION
from syncsql.storage.table import Table
from tests.crash.tables import directories, lines

START = """
REGISTER SOURCE Src (k INT, v INT);
CREATE STREAM S OVER Src KEY k;
CREATE STREAMED VIEW Counts AS SELECT count(*) AS n FROM R(S);
"""


def rows(frame: Any) -> list[tuple[Any, ...]]:
    return [tuple(r.values()) for r in frame.toArrow().to_pylist()]


def _failed(path: Path, spark: SparkSession) -> Database:
    """A database whose last advance, from 1 to 3, fails because of a view."""
    db = connect(path, spark)
    db.sql(START + "CREATE STREAMED VIEW Bad AS SELECT k, 1 / v AS x FROM R(S);")
    db.push("Src", [(1, 1)], at=1)
    db.advance(to=1)
    db.push("Src", [(2, 0)], at=2)
    with pytest.raises(EngineError, match="Bad"):
        db.advance(to=3)
    return db


def test_a_view_that_fails_does_not_lock_its_database(spark: SparkSession, tmp_path: Path) -> None:
    _failed(tmp_path / "db", spark).close()
    with connect(tmp_path / "db", spark) as db:
        db.sql("DROP VIEW Bad")
        db.push("Src", [(3, 0)], at=4)
        db.advance(to=4)
        assert rows(db.views.Counts.changes()) == [("+", 0, 0), ("u", 1, 1), ("u", 2, 2), ("u", 3, 4)]


def test_a_view_made_after_a_failure_misses_nothing(spark: SparkSession, tmp_path: Path) -> None:
    with _failed(tmp_path / "db", spark) as db:
        db.sql("CREATE OR REPLACE STREAMED VIEW Bad AS SELECT k, v FROM R(S)")
        db.sql("CREATE STREAMED VIEW More AS SELECT sum(k) AS s FROM R(S)")
        db.push("Src", [(3, 5)], at=4)
        db.advance(to=5)
        assert rows(db.views.Bad.changes()) == [("+", 1, 1, 1), ("+", 2, 0, 2), ("+", 3, 5, 4)]
        assert rows(db.views.More.changes()) == [("+", 1, 1), ("u", 3, 2), ("u", 6, 4)]


def test_a_view_that_fails_at_once_leaves_nothing(spark: SparkSession, tmp_path: Path) -> None:
    with connect(tmp_path / "db", spark) as db:
        db.sql(START)
        db.push("Src", [(1, 0)], at=1)
        db.advance(to=1)
        before = directories(tmp_path / "db")
        with pytest.raises(SyncSQLError):
            db.sql("CREATE STREAMED VIEW V AS SELECT k, 1 / v AS x FROM R(S)")
        assert directories(tmp_path / "db") == before
        db.sql("CREATE STREAMED VIEW V AS SELECT v FROM R(S)")
        db.advance(to=2)
        assert rows(db.views.V.changes()) == [("+", 0, 1)]


def test_quarantine_goes_with_its_stream(spark: SparkSession, tmp_path: Path) -> None:
    with connect(tmp_path / "db", spark) as db:
        db.sql("REGISTER SOURCE Src (k INT, op STRING)")
        db.sql("CREATE STREAM A OVER Src KEY k OPERATION BY op; CREATE STREAM B OVER Src KEY k OPERATION BY op")
        db.push("Src", [(1, "-"), (None, "+"), ("x", "+"), (2, "+")], at=1)
        db.advance(to=1)
        whole = lines(db.sources.Src.quarantine().drop("detail", "row"))
        assert len(whole) == 5
        db.sql("DROP STREAM A")
        assert [r["stream"] for r in db.sources.Src.quarantine().toArrow().to_pylist()] == ["B", "B", None]
        db.sql("CREATE STREAM A OVER Src KEY k OPERATION BY op")
        assert lines(db.sources.Src.quarantine().drop("detail", "row")) == whole


def test_a_stream_called_push(spark: SparkSession, tmp_path: Path) -> None:
    """The numbers of pushes and those of a stream's rejected tuples are apart, whatever the stream is called."""
    with connect(tmp_path / "db", spark) as db:
        db.sql("REGISTER SOURCE Src (k INT, op STRING); CREATE STREAM push OVER Src KEY k OPERATION BY op")
        for _ in range(3):
            db.push("Src", [("x", "+"), (1, "-")], at=1)
        db.advance(to=1)
        reasons = [r["reason"] for r in db.sources.Src.quarantine().toArrow().to_pylist()]
        assert sorted(reasons) == ["NO_SUCH_KEY"] * 3 + ["WRONG_TYPE"] * 3


def test_a_view_whose_first_answer_is_cancelled_leaves_nothing_behind(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cancelled job is no error of Spark's SQL, and may come after the view's memory was committed."""
    with connect(tmp_path / "db", spark) as db:
        db.sql(START)
        db.push("Src", [(1, 5), (2, 5)], at=1)
        db.advance(to=1)
        run = db._engine.runner.run

        def cancelled(*given: Any) -> int:
            run(*given)
            raise RuntimeError("cancelled")

        with monkeypatch.context() as patched:
            patched.setattr(db._engine.runner, "run", cancelled)
            with pytest.raises(RuntimeError):
                db.sql("CREATE MATERIALIZED STREAMED VIEW V AS SELECT sum(v) AS s FROM R(S)")
        assert "V" not in db.views
        db.sql("CREATE MATERIALIZED STREAMED VIEW V AS SELECT max(v) AS m, count(*) AS n FROM R(S)")
        assert rows(db.views.V.relation()) == [(5, 2)]
        assert db.views.V.verify().ok


def test_a_large_push_of_which_nothing_is_taken_is_finished(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It commits its tuples though there are none; else it would be void, and its quarantined rows taken out."""
    monkeypatch.setattr(limits, "SMALL_ROWS", 0)
    with connect(tmp_path / "db", spark) as db:
        db.sql("REGISTER SOURCE Src (k INT NOT NULL)")
        pushed = db.push("Src", spark.sql("SELECT CAST(NULL AS INT) AS k FROM range(3)"))
        assert (pushed.accepted, pushed.quarantined) == (0, 3)
    with connect(tmp_path / "db", spark) as db:
        assert len(rows(db.sources.Src.quarantine())) == 3
        assert db.push("Src", spark.sql("SELECT 1 AS k")).accepted == 1


@pytest.mark.parametrize("few", [True, False])
def test_rows_of_a_push_that_failed_are_quarantined_once(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: bool
) -> None:
    """Rejected rows are committed before the tuples, which then cannot be written."""
    monkeypatch.setattr(limits, "SMALL_ROWS", 20_000 if few else 0)
    with connect(tmp_path / "db", spark) as db:
        db.sql("REGISTER SOURCE Src (k INT NOT NULL)")
        raw, add = db._engine.registry.source("Src").raw, Table.add

        def full(table: Table, *given: Any, **more: Any) -> None:
            if table is raw:
                raise OSError("no space left on device")
            add(table, *given, **more)

        pushed = spark.sql("SELECT 1 AS k UNION ALL SELECT CAST(NULL AS INT)")
        with monkeypatch.context() as patched:
            patched.setattr(Table, "add", full)
            with pytest.raises(OSError, match="no space left"):
                db.push("Src", pushed)
        db.push("Src", pushed)
        assert len(rows(db.sources.Src.quarantine())) == len(rows(db.sources.Src.tuples())) == 1


def _full(*given: Any, **more: Any) -> None:
    raise OSError("no space left on device")


def test_whatever_fails_in_an_advance_is_named(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(tmp_path / "db", spark) as db:
        db.sql(START)
        db.push("Src", [(1, 1)], at=1)

        with monkeypatch.context() as patched:
            patched.setattr(Table, "write", _full)
            patched.setattr(Table, "write_frame", _full)
            with pytest.raises(OSError, match="no space left"):
                db.advance(to=1)
        with monkeypatch.context() as patched:
            patched.setattr(db._engine.runner, "run", _full)
            with pytest.raises(EngineError, match=r"ADVANCE.FAILED\] view `Counts`: OSError: no space left on device"):
                db.advance(to=1)
            assert db._engine.is_pending
        db.advance(to=1)
        assert rows(db.views.Counts.changes()) == [("+", 0, 0), ("u", 1, 1)]


def test_what_cannot_be_tidied_up_does_not_undo_an_advance(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(tmp_path / "db", spark) as db:
        db.sql(START)
        db.push("Src", [(1, 1)], at=1)
        spark.conf.set(RETENTION, "a while")
        try:
            with pytest.raises(EngineError, match=r"SETTING\.VALUE"):
                db.advance(to=1)
        finally:
            spark.conf.unset(RETENTION)
        assert db.now == 0

        monkeypatch.setattr(engine, "merge", _full)
        advanced = db.advance(to=1)
        assert advanced.undone == "OSError: no space left on device"
        assert db.now == 1
