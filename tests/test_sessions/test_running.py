"""The session of a database that is opened without one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from syncsql.session import connect
from syncsql.storage import running


class _Session:
    stopped = False

    def stop(self) -> None:
        self.stopped = True


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[_Session]]:
    """The sessions that are started, where none runs."""
    made: list[_Session] = []

    def build() -> _Session:
        made.append(_Session())
        return made[-1]

    monkeypatch.setattr(running, "build_session", build)
    monkeypatch.setattr(running, "is_stopped", lambda session: session.stopped)
    monkeypatch.setattr(running, "_running", lambda: None)
    yield made
    assert running._Ours.session is None


def test_databases_of_a_process_share_a_session_and_the_last_one_stops_it(started: list[Any]) -> None:
    (one, back), (other, back_other) = running.lend_session(), running.lend_session()
    assert one is other
    back()
    assert not started[0].stopped
    back_other()
    assert started[0].stopped
    assert len(started) == 1


def test_a_session_that_was_stopped_is_not_lent_again(started: list[Any]) -> None:
    _, back = running.lend_session()
    started[0].stop()
    _, back_other = running.lend_session()
    assert len(started) == 2
    back()
    assert not started[1].stopped
    back_other()
    assert started[1].stopped


def test_a_session_that_runs_is_used_and_not_stopped(spark: SparkSession, tmp_path: Path) -> None:
    spark.range(1).collect()  # Delta sets what it wants when a session is used for the first time.
    settings = spark.conf.getAll
    with connect(tmp_path / "db") as db:
        assert db.spark.sparkContext is spark.sparkContext
        with pytest.raises(Exception, match="open for writing in this process already"):
            connect(tmp_path / "db")
        assert db.sql("REGISTER SOURCE S (x INT)") is not None
    assert repr(db).endswith("closed")
    assert spark.range(2).count() == 2
    assert spark.conf.getAll == settings
