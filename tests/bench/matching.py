"""How long a decision takes against 10 to 10,000 views, and how many views reach the solver.

    python -m tests.bench.matching [--views 10 100 1000 10000] [--queries 200]

The views are of the shapes that a streaming application has many of: thresholds on a column, ranges with an equation,
joins on a key, groups, each under one of several synchronization streams. The index is warm; every query is new. CPU
time is that of this process alone, for machines on which others work too.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

from matcher.decide import Matcher
from matcher.workspace import Workspace
from syncsql.render import grid

SCHEMA = """
REGISTER SOURCE readings (room INT, floor INT, temperature INT, humidity INT, kind STRING);
CREATE STREAM Reading OVER readings KEY NULL;
REGISTER SOURCE roomlist (room INT, building INT, size INT);
CREATE STREAM Room OVER roomlist KEY room;
CREATE VIEW Sync2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 2 = 0;
CREATE VIEW Sync4 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 4 = 0;
CREATE VIEW Sync10 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 10 = 0;
CREATE VIEW Sync60 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 60 = 0;
"""
_VIEW_SYNCS = ("R", "R", "R[Sync2]", "R[Sync10]")
_QUERY_SYNCS = ("R[Sync4]", "R[Sync60]", "R[Sync2]", "R")


def view(rng: random.Random) -> str:
    sync, n = rng.choice(_VIEW_SYNCS), rng.randint(0, 1000)
    return rng.choice((
        f"SELECT room, temperature, humidity FROM {sync}(Reading) WHERE temperature > {n}",
        f"SELECT room, temperature, humidity FROM {sync}(Reading) WHERE temperature BETWEEN {n} AND {n + 300}",
        f"SELECT floor, temperature FROM {sync}(Reading) WHERE room = {n} AND humidity < {rng.randint(0, 100)}",
        f"SELECT a.room, a.temperature, b.building FROM {sync}(Reading) a JOIN {sync}(Room) b ON a.room = b.room "
        f"WHERE a.temperature > {n}",
        f"SELECT room, floor, count(*) AS n, max(temperature) AS m FROM {sync}(Reading) WHERE humidity > {n % 100} "
        "GROUP BY room, floor",
    ))  # fmt: skip


def query(rng: random.Random) -> str:
    sync, n = rng.choice(_QUERY_SYNCS), rng.randint(0, 1000)
    return rng.choice((
        f"SELECT room, temperature FROM {sync}(Reading) WHERE temperature > {n}",
        f"SELECT room FROM {sync}(Reading) WHERE temperature BETWEEN {n} AND {n + 100} AND humidity > 20",
        f"SELECT temperature FROM {sync}(Reading) WHERE room = {n} AND humidity < {rng.randint(0, 100)}",
        f"SELECT a.room, b.building FROM {sync}(Reading) a JOIN {sync}(Room) b ON a.room = b.room "
        f"WHERE a.temperature > {n}",
        f"SELECT room, count(*) AS n FROM {sync}(Reading) WHERE humidity > {n % 100} GROUP BY room",
        f"SELECT kind FROM {sync}(Reading) WHERE temperature < {n}",
    ))  # fmt: skip


def measure(count: int, queries: int, seed: int = 1) -> tuple[object, ...]:
    rng = random.Random(seed)
    workspace = Workspace()
    workspace.read(SCHEMA)
    started = time.perf_counter()
    for number in range(count):
        workspace.read(f"CREATE VIEW v{number} AS {view(rng)}")
    bound = time.perf_counter() - started
    started = time.perf_counter()
    matcher = Matcher(workspace)
    built = time.perf_counter() - started
    for _ in range(20):
        matcher.decide(query(rng))
    times, spent, tried, shared = [], [], [], 0
    for _ in range(queries):
        text = query(rng)
        started, used = time.perf_counter(), time.process_time()
        decision = matcher.decide(text)
        times.append(1000 * (time.perf_counter() - started))
        spent.append(1000 * (time.process_time() - used))
        tried.append(len(decision.verdicts))
        shared += decision.chosen is not None
    times.sort()
    spent.sort()
    last = int(0.99 * len(times))
    return (
        count,
        f"{1000 * bound / count:.2f}",
        f"{1000 * built / count:.3f}",
        f"{statistics.median(times):.1f}",
        f"{times[last]:.1f}",
        f"{statistics.median(spent):.1f}",
        f"{spent[last]:.1f}",
        f"{statistics.mean(tried):.1f}",
        f"{100 * shared / queries:.0f} %",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--views", type=int, nargs="+", default=[10, 100, 1000, 10_000])
    parser.add_argument("--queries", type=int, default=200)
    options = parser.parse_args()
    columns = ["views", "bind ms/view", "index ms/view", "median ms", "99 % ms", "median CPU ms", "99 % CPU ms",
               "views to the solver", "shared"]  # fmt: skip
    print(grid(columns, [measure(n, options.queries) for n in options.views]))


if __name__ == "__main__":
    main()
