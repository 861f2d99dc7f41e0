"""The session of a database that was opened without one: the one that runs in this process, or one that is started.

A process has one Spark at a time. So databases that are open at the same time share it, and the last one that is closed
stops it, unless a user started it.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from pyspark import SparkContext
from pyspark.sql import SparkSession

from syncsql.errors import StorageError
from syncsql.storage.connect import is_stopped
from syncsql.storage.sessions import build_session

GiveBack = Callable[[], None]


class _Ours:
    """The session that was started here, and how many databases have it."""

    guard = Lock()
    session: SparkSession | None = None
    users = 0


def lend_session() -> tuple[SparkSession, GiveBack]:
    """A session, and what is to be called when it is not needed any more."""
    with _Ours.guard:
        if _Ours.session is None or is_stopped(_Ours.session):
            running = _running()
            if running is not None:
                return running, lambda: None
            _Ours.session, _Ours.users = build_session(), 0
        _Ours.users += 1
        lent = _Ours.session
        return lent, lambda: _give_back(lent)


def checked(session: SparkSession) -> SparkSession:
    """A session that the user gives."""
    if not hasattr(session, "createDataFrame"):
        raise StorageError(
            "SPARK.SESSION", f"spark={session!r}: a Spark session is expected", hint="without it one is started"
        )
    if is_stopped(session):
        raise StorageError("SPARK.STOPPED", "the Spark session was stopped", hint="without `spark` one is started")
    return session


def _give_back(lent: SparkSession) -> None:
    with _Ours.guard:
        if lent is _Ours.session:
            _Ours.users -= 1
            if not _Ours.users:
                _Ours.session = None
                if not is_stopped(lent):
                    lent.stop()


def _running() -> SparkSession | None:
    """The session that a user has started."""
    if SparkContext._active_spark_context is None:
        return None
    return SparkSession.getActiveSession() or SparkSession.Builder().getOrCreate()
