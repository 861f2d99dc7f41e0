"""A session that the user brings, classic or of Spark Connect: the same answers, and the session as it was."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.test_sessions.quick_start import seen

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
def classic(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What is seen in a session as a user may have made it, and as JSON has it."""
    session = spark.newSession()
    for name, value in _SETTINGS.items():
        session.conf.set(name, value)
    shown: dict[str, Any] = json.loads(json.dumps(seen(tmp_path_factory.mktemp("classic"), session)))
    assert session.range(1).count() == 1
    return shown


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


@pytest.fixture(params=["classic", "over_connect"])
def shown(request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = request.getfixturevalue(request.param)
    return found


def test_quick_start(shown: dict[str, Any]) -> None:
    quick = shown["quick"]
    assert quick["changes"] == [
        ["+", "a", 105, 2], ["+", "b", 85, 4], ["+", "{c}", 95, 2], ["-", "a", None, 4], ["u", "b", 99, 6],
    ]  # fmt: skip
    assert quick["relation"] == [["a", 105], ["{c}", 95]]
    assert quick["quarantine"] == [
        ["RoomTempStr", "NULL_KEY", "key column `RoomID` is NULL"],
        [None, "WRONG_TYPE", "`Temperature`: INT expected, got 'warm'"],
    ]
    assert quick["virtual"] == ["Over90", "Over100"]
    assert all("as the streams give them" in text for text in quick["verified"])


def test_both_show_the_same(classic: dict[str, Any], over_connect: dict[str, Any]) -> None:
    assert over_connect["quick"] == classic["quick"]


def test_much_at_once(shown: dict[str, Any]) -> None:
    many = shown["many"]
    assert many["pushed"] == ["Readings: 300 taken, 0 quarantined"] * 2
    assert many["sums"] == [[part, 2.0 * sum(range(part, 300, 3))] for part in range(3)]
    assert "3 rows, as the streams give them" in many["verified"]


def test_the_session_stays_as_it_is(shown: dict[str, Any]) -> None:
    before, after = shown["settings"]
    assert before == after
    assert shown["views"] == ["mine"]
    assert shown["is active"]
    assert shown["read after closing"] == [["b", 99], ["{c}", 95]]


def test_a_server_keeps_nothing_of_the_engine(over_connect: dict[str, Any]) -> None:
    assert over_connect["stopped"] == [True, True, False]
