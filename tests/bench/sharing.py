"""What overlapping queries cost, shared and unshared.

    python -m tests.bench.sharing [--queries 1 10 100 1000] [--unshared 100] [--rows 2000]

Five base views (rows, rows at every second tick, two groupings, a join) and queries over the same streams: filters,
projections, roll-ups and coarser synchronization, each of which one of the five answers. An advance takes in ``rows``
changed rows. Unshared, every query is a job at every advance, so so many are only measured up to ``--unshared``.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path

from pyspark.sql import SparkSession
from rich.console import Console
from rich.table import Table

from syncsql.session import Database, connect
from syncsql.storage.sessions import build_session
from tests.bench.measure import load

SETUP = """
REGISTER SOURCE readings (sensor INT, room INT, floor INT, kind STRING, temperature INT, humidity INT);
REGISTER SOURCE roomlist (room INT, building INT, size INT);
CREATE STREAM Reading OVER readings KEY sensor;
CREATE STREAM Room OVER roomlist KEY room;
CREATE VIEW Sync2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 2 = 0;
CREATE VIEW Sync4 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 4 = 0;
CREATE VIEW Sync8 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 8 = 0;
CREATE VIEW Warm AS
    SELECT sensor, room, floor, kind, temperature, humidity FROM R(Reading) WHERE temperature > 20;
CREATE VIEW Damp AS SELECT sensor, room, floor, humidity FROM R[Sync2](Reading) WHERE humidity > 30;
CREATE VIEW Floors AS
    SELECT floor, kind, count(*) AS n, sum(temperature) AS t, max(temperature) AS hi FROM R(Reading)
    GROUP BY floor, kind;
CREATE VIEW Rooms AS SELECT room, floor, count(*) AS n, min(humidity) AS lo FROM R[Sync2](Reading) GROUP BY room, floor;
CREATE VIEW Placed AS
    SELECT a.sensor, a.temperature, b.building, b.size FROM R(Reading) a, R(Room) b WHERE a.room = b.room
"""
VIEWS = ("Warm", "Damp", "Floors", "Rooms", "Placed")


def query(rng: random.Random) -> str:
    n, sync = rng.randrange(21, 60), rng.choice(("R[Sync2]", "R[Sync4]", "R[Sync8]"))
    fine = rng.choice(("R", sync))
    rows, coarse, room = f"{fine}(Reading)", f"{sync}(Reading)", f"{fine}(Room)"
    return rng.choice((
        f"SELECT sensor, temperature FROM {rows} WHERE temperature > {n}",
        f"SELECT sensor, room, humidity FROM {rows} WHERE temperature BETWEEN {n} AND {n + 10} AND floor = {n % 5}",
        f"SELECT sensor, room FROM {coarse} WHERE humidity > {n + 10}",
        f"SELECT floor, count(*) AS n, max(temperature) AS hi FROM {rows} WHERE floor <> {n % 5} GROUP BY floor",
        f"SELECT kind, sum(temperature) AS t FROM {rows} WHERE floor > {n % 4} GROUP BY kind",
        f"SELECT floor, count(*) AS n, min(humidity) AS lo FROM {coarse} WHERE room > {n} GROUP BY floor",
        f"SELECT a.sensor, b.building FROM {rows} a, {room} b WHERE a.room = b.room AND a.temperature > {n}",
    ))  # fmt: skip


class Filled:
    """A database with the base views and a number of queries, and what it costs to add some and to advance."""

    def __init__(self, spark: SparkSession, home: Path, rows: int, sharing: bool) -> None:
        self.db: Database = connect(home, spark, sharing=sharing)
        self._rows, self._rng, self._at, self._made = rows, random.Random(3), 0, 0
        self._queries = random.Random(7)
        self.db.sql(SETUP)
        self.db.push("roomlist", [(room, room % 7, room % 50) for room in range(100)], at=1)
        self.advance()

    def add(self, until: int) -> float:
        """Queries up to the number ``until``; the seconds for one."""
        count, start = until - self._made, time.perf_counter()
        for number in range(self._made, until):
            self.db.sql(f"CREATE STREAMED VIEW Q{number} AS {query(self._queries)}")
        self._made = until
        return (time.perf_counter() - start) / max(count, 1)

    def advance(self) -> float:
        self._at += 1
        rng, rows = self._rng, []
        for _ in range(self._rows):
            sensor = rng.randrange(5_000)
            room, kind = sensor % 100, "abc"[sensor % 3]
            rows.append((sensor, room, room % 5, kind, rng.randrange(60), rng.randrange(100)))
        self.db.push("readings", rows, at=self._at)
        start = time.perf_counter()
        self.db.advance(to=self._at)
        return time.perf_counter() - start

    def seconds(self, rounds: int = 8) -> float:
        # At an even number of ticks in a row every synchronization stream has its points.
        return statistics.mean(self.advance() for _ in range(rounds))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.sharing", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--queries", type=int, nargs="+", default=[1, 10, 100, 1000])
    parser.add_argument("--unshared", type=int, default=100, help="the most queries that are run unshared")
    parser.add_argument("--rows", type=int, default=2000, help="changed rows for each advance")
    options = parser.parse_args()
    console = Console(width=150)
    columns = ("queries", "five views", "shared", "against five views", "unshared", "against shared", "register one",
               "answered")  # fmt: skip
    table = Table(*columns, title=f"seconds for an advance over {options.rows} changed rows")
    spark = build_session("syncsql-bench")
    with tempfile.TemporaryDirectory(prefix="syncsql-bench-") as home:
        shared = Filled(spark, Path(home) / "shared", options.rows, True)
        alone = Filled(spark, Path(home) / "alone", options.rows, False)
        for filled in (shared, alone):
            filled.seconds(16)  # The first rounds find the JVM cold.
        base = shared.seconds(16)
        for count in sorted(options.queries):
            console.print(f"{count} queries ({load()})")
            each = shared.add(count)
            took = shared.seconds()
            apart = None
            if count <= options.unshared:
                alone.add(count)
                apart = alone.seconds()
            report = shared.db.sharing().to_dict()["rows"]
            answered = sum(r["answered from"] is not None for r in report if r["view"].startswith("Q"))
            table.add_row(
                str(count), f"{base:.2f}", f"{took:.2f}", f"{took / base:.2f} (goal 1.5)",
                "" if apart is None else f"{apart:.2f}", "" if apart is None else f"{apart / took:.1f}",
                f"{1000 * each:.0f} ms (goal 50)", f"{answered} of {count}",
            )  # fmt: skip
        shared.db.close()
        alone.db.close()
    console.print(table)
    spark.stop()


if __name__ == "__main__":
    main()
