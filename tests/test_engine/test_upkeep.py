"""Small files become one and history is dropped, and no answer is another one for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable
from pyspark.sql import SparkSession

from syncsql.dataflow import upkeep
from syncsql.errors import SyncSQLError
from syncsql.session import Database, connect
from syncsql.storage.feed import RETENTION

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
