"""A process that is killed at any moment and started again leaves the tables of an undisturbed run (invariant c)."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from syncsql.errors import StorageError
from syncsql.session import connect
from tests.crash.script import SCRIPT, Advance, Client, save_marks
from tests.crash.tables import directories, streams, tables

HOME = Path(__file__).parents[2]


@dataclass(frozen=True)
class Truth:
    """An undisturbed run: its marks, and everything that it left."""

    marks: Path
    tables: dict[str, list[str]]
    directories: set[str]
    streams: dict[str, list[str]]


@pytest.fixture(scope="module")
def truth(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Truth:
    home = tmp_path_factory.mktemp("undisturbed")
    root, marks = home / "db", home / "marks.json"
    with connect(root, spark, sharing=False) as db:
        save_marks(Client(root).undisturbed(db), marks)
    return Truth(marks, tables(root), directories(root), streams(root, spark))


def check(root: Path, truth: Truth, spark: SparkSession, large: bool = False) -> None:
    """``large`` says that the bound of small results was moved: more relations are folded then, which readers of the
    relation do not see."""
    found = tables(root)
    assert found.keys() == truth.tables.keys()
    for name, rows in truth.tables.items():
        if not (large and name.startswith("relations/") and not rows):
            assert found[name] == rows, name
    assert directories(root) == truth.directories
    seen = streams(root, spark)
    for name, rows in truth.streams.items():
        assert seen[name] == rows, name


@dataclass
class Victims:
    """Starts processes on one database, one after the other."""

    root: Path
    truth: Truth
    spark: SparkSession
    kills: list[str] = field(default_factory=list)

    def start(self, own_jvm: bool = False, **config: Any) -> subprocess.Popen[str]:
        env = {**os.environ, "PYTHONPATH": str(HOME), "SYNCSQL_DRIVER_MEMORY": "1g"}
        if not own_jvm:
            gateway = self.spark.sparkContext._gateway.gateway_parameters  # type: ignore[union-attr]
            env |= {"PYSPARK_GATEWAY_PORT": str(gateway.port), "PYSPARK_GATEWAY_SECRET": gateway.auth_token}
        config = {"root": str(self.root), "marks": str(self.truth.marks), **config}
        return subprocess.Popen(
            [sys.executable, "-m", "tests.crash.child", json.dumps(config)], cwd=HOME, env=env, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip

    def dies(self, **config: Any) -> bool:
        """Whether the process was killed; False where it came to the end of the script."""
        process = self.start(**config)
        _, said = process.communicate(timeout=300)
        if process.returncode == 0:
            return False
        assert process.returncode == -signal.SIGKILL, said
        self.kills.append(said.strip().splitlines()[-1])
        return True

    @property
    def place(self) -> int:
        return Client(self.root).place


@pytest.fixture
def victims(truth: Truth, spark: SparkSession, tmp_path: Path) -> Victims:
    return Victims(tmp_path / "db", truth, spark)


def kill_at_every_step(victims: Victims, when: str, stride: int = 1, **config: Any) -> None:
    """Each process dies one commit after the one before it died. A statement or push starts anew each time, so there
    the n-th process dies at the n-th step; of an advance every step stays. With a ``stride`` only the advance to 5 goes
    step by step, which has steps of all kinds."""
    place, step = -1, 0
    while len(victims.kills) < 500:
        at = SCRIPT[min(victims.place, len(SCRIPT) - 1)]
        if isinstance(at, Advance):
            step = (1 if at.to == 5 else stride) + (when == "before")
        else:
            step = step + 1 if victims.place == place else 1
        place = victims.place
        if not victims.dies(die=step, when=when, **config):
            return
    raise AssertionError(f"no end in sight: {victims.kills[-5:]}")


def _prepared(victims: Victims, places: int) -> None:
    """The first steps of the script, without a kill."""
    with connect(victims.root, victims.spark, sharing=False) as db:
        Client(victims.root).undisturbed(db, places)


def _place_of(to: int) -> int:
    return next(n for n, step in enumerate(SCRIPT) if step == Advance(to))


def _wait_for_spark(spark: SparkSession) -> None:
    """Until the driver has ended what processes left that are dead."""
    deadline = time.monotonic() + 60
    while spark.sparkContext.statusTracker().getActiveJobsIds() and time.monotonic() < deadline:
        time.sleep(0.2)
    time.sleep(1)


def test_killed_at_every_step(victims: Victims) -> None:
    """From the first pushes after an advance on; the sweep begins with an empty directory."""
    _prepared(victims, _place_of(2) + 1)
    kill_at_every_step(victims, "after", stride=6)
    assert len(victims.kills) >= 24
    check(victims.root, victims.truth, victims.spark)


def kill_at_random(victims: Victims, rng: random.Random, kills: int) -> None:
    for _ in range(kills):
        process = victims.start(large=rng.random() < 0.5)
        assert process.stdout is not None
        assert process.stdout.readline() == "start\n"
        time.sleep(rng.uniform(0, 5))
        process.kill()
        _, said = process.communicate()
        assert process.returncode in (0, -signal.SIGKILL), said
        victims.kills.append("random")
    assert not victims.dies()


def test_killed_at_random_moments(victims: Victims) -> None:
    _prepared(victims, _place_of(5))
    kill_at_random(victims, random.Random(1), 8)
    _wait_for_spark(victims.spark)
    check(victims.root, victims.truth, victims.spark, large=True)


@pytest.mark.parametrize("linger", [0, 1500], ids=["before the next process", "after the next process"])
def test_driver_writes_after_its_process_died(victims: Victims, linger: int) -> None:
    """The process dies while Spark writes; the driver goes on and writes files, before or after somebody else did."""
    _prepared(victims, _place_of(5))
    for step in range(1, 5):
        assert victims.dies(die=step, when="during", large=True, linger=linger)
        if linger == 0:
            _wait_for_spark(victims.spark)
    assert not victims.dies()
    _wait_for_spark(victims.spark)
    check(victims.root, victims.truth, victims.spark, large=True)


def test_killed_with_its_driver(victims: Victims) -> None:
    """The whole process group dies; and a driver whose process died ends by itself."""
    _prepared(victims, _place_of(8))
    assert victims.dies(own_jvm=True, die=4, when="before", group=True)
    assert victims.dies(own_jvm=True, die=2, when="after")
    assert not victims.dies()
    check(victims.root, victims.truth, victims.spark)


def test_second_writer_waits_for_the_death_of_the_first(victims: Victims) -> None:
    first = victims.start(hold=True)
    assert first.stdout is not None
    assert [first.stdout.readline(), first.stdout.readline()] == ["start\n", "open\n"]
    with pytest.raises(StorageError, match=rf"is open for writing by process {first.pid}"):
        connect(victims.root, victims.spark, sharing=False)
    connect(victims.root, victims.spark, read_only=True).close()
    first.kill()
    first.communicate()
    with connect(victims.root, victims.spark, sharing=False) as db:
        db.sql("REGISTER SOURCE S (k INT)")


@pytest.mark.sweep
@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_at_every_step_sweep(victims: Victims, when: str, large: bool) -> None:
    kill_at_every_step(victims, when, large=large)
    check(victims.root, victims.truth, victims.spark, large)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(10))
def test_killed_at_random_moments_sweep(victims: Victims, seed: int) -> None:
    kill_at_random(victims, random.Random(seed), 20)
    _wait_for_spark(victims.spark)
    check(victims.root, victims.truth, victims.spark, large=True)
