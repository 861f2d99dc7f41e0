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
from tests.crash.script import SCRIPT, Advance, Client, load_marks, save_marks
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
    with connect(root, spark) as db:
        save_marks(Client(root).undisturbed(db), marks)
    return Truth(marks, tables(root), directories(root), streams(root, spark))


def check(root: Path, truth: Truth, spark: SparkSession) -> None:
    found = tables(root)
    assert found.keys() == truth.tables.keys()
    for name, rows in truth.tables.items():
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


def kill_at_every_step(victims: Victims, **config: Any) -> None:
    """Each process dies one commit after the one before it died. A statement or push starts anew each time, so there
    the n-th process dies at the n-th step; of an advance every step stays."""
    place, step = -1, 0
    while True:
        if victims.place != place or isinstance(SCRIPT[place], Advance):
            place, step = victims.place, 1
        else:
            step += 1
        if not victims.dies(die=step, when="after", **config):
            return


def test_killed_at_every_step(victims: Victims) -> None:
    kill_at_every_step(victims)
    assert len(victims.kills) >= 30
    check(victims.root, victims.truth, victims.spark)
