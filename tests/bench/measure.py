"""What every benchmark needs: times, the peak memory of the driver's JVM and its workers, the load of the machine."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession


@dataclass
class Timed:
    seconds: float = 0.0
    jvm_mb: int = 0
    workers_mb: int = 0

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s, {self.jvm_mb} MB and {self.workers_mb} in workers"


class Machine:
    """The JVM behind a session with its Python workers, and what runs beside it."""

    def __init__(self, spark: SparkSession) -> None:
        self._jvm = int(spark.sparkContext._gateway.proc.pid)

    @contextmanager
    def timed(self) -> Iterator[Timed]:
        """The time of a block, and the most memory that the JVM, and each of its workers, had in it."""
        for process in (self._jvm, *_below(self._jvm)):
            with suppress(FileNotFoundError):
                Path(f"/proc/{process}/clear_refs").write_text("5")
        result = Timed()
        start = time.perf_counter()
        yield result
        result.seconds = time.perf_counter() - start
        result.jvm_mb, *workers = (_peak_mb(p) for p in (self._jvm, *_below(self._jvm)))
        result.workers_mb = sum(workers)


def _below(process: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    files = Path(f"/proc/{process}/task").glob("*/children")
    children = [int(child) for file in files for child in file.read_text().split()]
    return [p for child in children for p in (child, *_below(child))]


def _peak_mb(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except FileNotFoundError:  # An idle worker that has just ended.
        return 0
    return int(next((line for line in lines if line.startswith("VmHWM")), "VmHWM 0").split()[1]) // 1024


def load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def median_seconds(action: Callable[[], Any], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


class BareAppend:
    """The unit of fixed costs: Spark's own Delta writer appends ten rows to a table."""

    def __init__(self, spark: SparkSession, home: Path) -> None:
        self._spark, self._path = spark, str(home / "bare")
        self._rows = [(i, i, "x") for i in range(10)]

    def __call__(self) -> None:
        frame = self._spark.createDataFrame(self._rows, "a INT, b INT, c STRING")
        frame.coalesce(1).write.format("delta").mode("append").save(self._path)

    def seconds(self, rounds: int = 9) -> float:
        for _ in range(3):
            self()
        return median_seconds(self, rounds)
