"""Small files become one and history is dropped, and no answer is another one for it."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable
from pyspark.sql import SparkSession

from syncsql.dataflow import memory, upkeep
from syncsql.dataflow.registry import View
from syncsql.errors import SyncSQLError
from syncsql.session import Database, connect
from syncsql.storage import table
from syncsql.storage.feed import RETENTION
from syncsql.storage.table import Table

_VIEWS = """
    REGISTER SOURCE Src (k INT, v INT, op STRING);
    CREATE STREAM S OVER Src KEY k; CREATE STREAM B OVER Src KEY NULL;
    CREATE STREAM L OVER Src KEY NULL OPERATION BY op;
    CREATE STREAMED VIEW Sync5 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 5 = 0;
    CREATE STREAMED VIEW Hot AS SELECT TS FROM R(B) WHERE v > 8;
    CREATE MATERIALIZED STREAMED VIEW F AS SELECT k, v FROM R(S) WHERE v > 3;
    CREATE VIRTUAL STREAMED VIEW F2 AS SELECT k, v FROM R(F) WHERE v > 5;
    CREATE STREAMED VIEW Slow AS SELECT k, v, TS AS t FROM R[Sync5](F);
    CREATE COMPLETE VIEW Most AS SELECT v % 5 AS g, max(k) AS m FROM R[Sync5](L) GROUP BY v % 5;
    CREATE STREAMED VIEW Both AS SELECT a.k, b.v FROM R[Hot](S) a, R(L) b WHERE a.k = b.k AND Now - 5 < b.TS
"""
_LAST = 20


def rows(frame: Any) -> list[tuple[Any, ...]]:
    return sorted((tuple(r.values()) for r in frame.toArrow().to_pylist()), key=repr)


def live(path: Path, spark: SparkSession) -> Database:
    """A life of many small advances, with an end in the middle of it."""
    db = connect(path, spark)
    db.sql(_VIEWS)
    for at in range(1, _LAST + 1):
        db.push("Src", [((at * n) % 7, (at + n) * at % 11, "+-+"[n]) for n in range(3)], at=at)
        if at % 2 == 0:
            db.advance(to=at)
        if at == 14:
            db.close()
            db = connect(path, spark)
    return db


def answers(db: Database, since: int) -> dict[tuple[str, int | str], list[tuple[Any, ...]]]:
    names = [v for v in db.views if v != "Sync5"]
    found: dict[tuple[str, int | str], list[tuple[Any, ...]]] = {
        (n, at): rows(db.views[n].relation(at=at)) for n in names for at in (since, _LAST)
    }
    return found | {(n, "changes"): rows(db.views[n].changes(since=since)) for n in names}


def files(path: Path) -> int:
    logs = [*path.glob("*/*/_delta_log"), *path.glob("*/*/*/_delta_log"), *path.glob("*/_delta_log")]
    return sum(len(DeltaTable(log.parent).file_uris()) for log in logs)


def test_merging_and_dropping_change_no_answer(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with live(tmp_path / "plain", spark) as db:
        plain = answers(db, 16)
    monkeypatch.setattr(upkeep, "MANY_FILES", 3)
    spark.conf.set(RETENTION, "4")
    try:
        with live(tmp_path / "kept", spark) as db:
            assert answers(db, 16) == plain
            assert files(tmp_path / "kept") < files(tmp_path / "plain") / 2
            assert all(db.views[v].verify().ok for v in db.views if v != "Sync5")
            for ask in (db.views.F.relation, db.views.F2.relation, db.streams.S.relation):
                with pytest.raises(
                    SyncSQLError, match=r"TIME.NOT_KEPT\] `\w+` is kept from \d+ on: what it was at 3 is"
                ):
                    ask(at=3)
            with pytest.raises(SyncSQLError, match=r"TIME.NOT_KEPT"):
                db.changes(["F"], since=3)
            assert min(row[-1] for row in rows(db.views.F.changes())) > 3
            # What only grows is its own relation, and time points are needed to find the last one.
            assert len(rows(db.streams.B.changes())) == 3 * _LAST
            assert rows(db.views.Hot.changes(since=0))
            # What is made now starts with what is kept.
            db.sql("CREATE STREAM Late OVER Src KEY k; CREATE STREAMED VIEW Sum AS SELECT sum(v) AS s FROM R(S)")
            assert min(row[-1] for row in rows(db.streams.Late.changes())) > 3
            assert db.views.Sum.verify().ok
    finally:
        spark.conf.unset(RETENTION)


def _age(log: Path) -> None:
    """As if a month and more had gone by since."""
    for file in log.iterdir():
        os.utime(file, (time.time() - 40 * 86400,) * 2)


_FOLDED = """
    REGISTER SOURCE Src (k INT, v INT); CREATE STREAM S OVER Src KEY k;
    CREATE COMPLETE VIEW C AS SELECT k, v FROM R(S) WHERE v > 0
"""


def _advanced(db: Database, *times: int) -> None:
    for at in times:
        db.push("Src", [(at % 3, at)], at=at)
        assert db.advance(to=at).undone is None


def _held(at: int) -> list[tuple[int, int]]:
    return sorted({t % 3: t for t in range(1, at + 1)}.items())


def test_old_relations_outlive_the_log_of_delta(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Delta forgets versions after a month, where a checkpoint has what came of them."""
    monkeypatch.setattr(table, "_CHECKPOINT", 4)
    log = tmp_path / "db" / "relations" / "c" / "_delta_log"
    with (
        connect(tmp_path / "db", spark, sharing=False) as db,
        connect(tmp_path / "db", spark, read_only=True) as reader,
    ):
        db.sql(_FOLDED)
        _advanced(db, *range(1, 7))
        assert rows(reader.views.C.relation()) == _held(6)
        _age(log)
        _advanced(db, *range(7, 14))
        assert rows(reader.views.C.relation()) == _held(13)
        assert all(rows(db.views.C.relation(at=t)) == _held(t) for t in (1, 5, 9, 13))
    spark.conf.set(RETENTION, "9")
    try:
        with connect(tmp_path / "db", spark, sharing=False) as db:
            assert all(rows(db.views.C.relation(at=t)) == _held(t) for t in (1, 5, 13))
            before = len(list(log.iterdir()))
            for first in range(14, 34, 4):
                _age(log)
                _advanced(db, *range(first, first + 4))
            assert len(list(log.iterdir())) < before + 20
            assert all(rows(db.views.C.relation(at=t)) == _held(t) for t in range(24, 34))
        with connect(tmp_path / "db", spark, sharing=False) as db:
            assert all(rows(db.views.C.relation(at=t)) == _held(t) for t in range(24, 34))
            with pytest.raises(SyncSQLError, match=r"TIME\.NOT_KEPT"):
                db.views.C.relation(at=20)
    finally:
        spark.conf.unset(RETENTION)


def test_what_a_virtual_view_is_derived_from_can_go_when_history_has(spark: SparkSession, tmp_path: Path) -> None:
    """What it becomes knows of the same time as before."""
    spark.conf.set(RETENTION, "3")
    try:
        with connect(tmp_path, spark) as db:
            db.sql("""
                REGISTER SOURCE Src (k INT, v INT); CREATE STREAM S OVER Src KEY k;
                CREATE STREAMED VIEW W AS SELECT k, v FROM R(S) WHERE v > 1;
                CREATE STREAMED VIEW V AS SELECT k, v FROM R(S) WHERE v > 5
            """)
            assert "answered from W" in repr(db.views.V)
            _advanced(db, *range(1, 13))
            changes = rows(db.views.V.changes())
            assert changes[0][-1] > 5
            db.sql("DROP VIEW W")
            assert "answered from" not in repr(db.views.V)
            assert rows(db.views.V.changes()) == changes
            assert rows(db.views.V.relation(at=9)) == [(k, v) for k, v in _held(9) if v > 5]
            with pytest.raises(SyncSQLError, match=r"TIME\.NOT_KEPT"):
                db.views.V.relation(at=5)
            _advanced(db, 13, 14)
            assert rows(db.views.V.relation()) == _held(14)
            assert db.views.V.verify().ok
    finally:
        spark.conf.unset(RETENTION)


_REMEMBERING = """
    REGISTER SOURCE Src (k INT, v INT, w DOUBLE); CREATE STREAM S OVER Src KEY NULL;
    CREATE MATERIALIZED STREAMED VIEW D AS SELECT DISTINCT v FROM R(S) WHERE Now - 3 < TS;
    CREATE MATERIALIZED STREAMED VIEW A AS
        SELECT v, count(*) AS n, sum(w) AS s, max(k) AS m FROM R(S) WHERE Now - 3 < TS GROUP BY v;
    CREATE MATERIALIZED STREAMED VIEW T AS SELECT sum(k) AS s FROM R(S) WHERE Now - 3 < TS
"""


def _states(db: Database, name: str) -> list[Table]:
    view = db._engine.registry.get(name)
    assert isinstance(view, View)
    return [t for path, t in view.memory.tables.items() if path.parent.parent.name == "states"]


def test_states_lose_the_keys_that_are_gone(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_MANY_FILES", 2)
    with connect(tmp_path, spark, sharing=False) as db:
        db.sql(_REMEMBERING)
        for at in range(1, 17):
            db.push("Src", [(at, at, at / 3), (at + 1, at, 0.1)] if at % 7 else [(at, 0, 1.0)], at=at)
            assert db.advance(to=at).undone is None
        for name in ("D", "A", "T"):
            assert db.views[name].verify().ok
            for state in _states(db, name):
                assert name == "T" or len(set(state.arrow()["k0"].to_pylist())) < 11, state.path


def test_users_may_compact_what_is_remembered(spark: SparkSession, tmp_path: Path) -> None:
    """Then a file holds several rows of a key, and the last version is none of an advance."""
    with connect(tmp_path, spark, sharing=False) as db:
        db.sql(_REMEMBERING)
        for at in range(1, 8):
            db.push("Src", [(at, at % 3, 1.5), (at, at % 2, 0.25)], at=at)
            db.advance(to=at)
            if at % 3 == 0:
                for path in tmp_path.glob("states/*/*"):
                    DeltaTable(str(path)).optimize.compact()
                for state in [s for name in ("D", "A", "T") for s in _states(db, name)]:
                    state.refresh()
        assert all(db.views[name].verify().ok for name in ("D", "A", "T"))
        last = db._engine.number
        assert [s.before(last).number() for s in _states(db, "D")] == [last - 1]
