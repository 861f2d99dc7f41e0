"""A session that the user brings, classic or of Spark Connect: the same answers, and the session as it was."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from syncsql.session import connect
from syncsql.storage import limits
from tests.test_sessions.quick_start import many, quick_start, rows

ROOT = Path(__file__).parent.parent.parent
_NEEDED = {
    "grpc": "grpcio", "grpc_status": "grpcio-status", "google.rpc": "googleapis-common-protos",
    "zstandard": "zstandard",
}  # fmt: skip
_SETTINGS = {
    "spark.sql.shuffle.partitions": "7", "spark.sql.session.timeZone": "America/New_York",
    "spark.sql.adaptive.enabled": "false", "spark.syncsql.matcher.budgetMs": "1000",
}  # fmt: skip


@pytest.fixture(scope="module")
def own(spark: SparkSession) -> Iterator[SparkSession]:
    """A session as a user may have made it."""
    session = spark.newSession()
    for name, value in _SETTINGS.items():
        session.conf.set(name, value)
    session.range(3).createOrReplaceTempView("mine")
    yield session
    assert spark.range(1).count() == 1


@pytest.fixture(scope="module")
def quick(own: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    with connect(tmp_path_factory.mktemp("classic") / "db", own) as db:
        return quick_start(db)


@pytest.fixture(scope="module")
def over_connect(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    missing = [package for module, package in _NEEDED.items() if not _is_there(module)]
    if missing:
        pytest.skip(f"Spark Connect needs {', '.join(missing)}: pip install 'pyspark[connect]'")
    home = tmp_path_factory.mktemp("connect")
    command = [sys.executable, "-m", "tests.test_sessions.over_connect", str(home)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    shown: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return shown


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def test_quick_start(quick: dict[str, Any]) -> None:
    assert quick["changes"] == [["+", "a", 105, 2], ["+", "b", 85, 4], ["+", "{c}", 95, 2], ["-", "a", None, 4]]
    assert quick["relation"] == [["a", 105], ["{c}", 95]]
    assert quick["quarantine"] == [
        ["RoomTempStr", "NULL_KEY", "key column `RoomID` is NULL"],
        [None, "WRONG_TYPE", "`Temperature`: INT expected, got 'warm'"],
    ]
    assert quick["virtual"] == ["Over90", "Over100"]
    assert all("as the streams give them" in text for text in quick["verified"])


def test_the_session_stays_as_it_is(own: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own.createDataFrame([(1,)], "x INT")  # Makes it the active one.
    settings, views = own.conf.getAll, [t.name for t in own.catalog.listTables()]
    with connect(tmp_path / "quick", own) as db:
        quick_start(db)
        relation = db.views.HotRooms.relation()
    monkeypatch.setattr(limits, "SMALL_ROWS", 0)
    with connect(tmp_path / "many", own) as db:
        many(db)
    assert own.conf.getAll == settings
    assert [t.name for t in own.catalog.listTables()] == views == ["mine"]
    assert SparkSession.getActiveSession() is own
    assert rows(relation) == [["b", 99], ["{c}", 95]]  # Closing the database did not stop the session.


def test_connect_shows_the_same(quick: dict[str, Any], over_connect: dict[str, Any]) -> None:
    assert over_connect["quick"] == json.loads(json.dumps(quick))


def test_connect_computes_much(over_connect: dict[str, Any]) -> None:
    shown = over_connect["many"]
    assert shown["pushed"] == ["Readings: 300 taken, 0 quarantined"] * 2
    assert shown["sums"] == [[part, 2.0 * sum(range(part, 300, 3))] for part in range(3)]
    assert "3 rows, as the streams give them" in shown["verified"]


def test_the_connect_session_stays_as_it_is(over_connect: dict[str, Any]) -> None:
    before, after = over_connect["settings"]
    assert before == after
    assert over_connect["views"] == []
    assert over_connect["after"] == 2
    assert over_connect["released"] == [True, True, False]
