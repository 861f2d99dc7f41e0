"""How long advice for a set of queries takes, and what it is estimated to save.

    python -m tests.bench.advising [--queries 10 30 100 300]

The queries are those of :mod:`tests.bench.matching`; nothing is known in advance but the schema.
"""

from __future__ import annotations

import argparse
import random
import time

from matcher.advise import advise
from matcher.workspace import Workspace
from syncsql.render import grid
from tests.bench.matching import SCHEMA, query


def measure(count: int, seed: int = 1) -> tuple[object, ...]:
    rng = random.Random(seed)
    queries = [query(rng) for _ in range(count)]
    workspace = Workspace()
    workspace.read(SCHEMA)
    used = time.process_time()
    advice = advise(workspace, queries)
    spent = time.process_time() - used
    shared = sum(q.why is None for q in advice.queries)
    saved = f"{100 * advice.saving / advice.before:.0f} %"
    return count, f"{advice.seconds:.1f}", f"{spent:.1f}", advice.tried, len(advice.proposals), shared, saved


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--queries", type=int, nargs="+", default=[10, 30, 100, 300])
    options = parser.parse_args()
    columns = ["queries", "seconds", "CPU seconds", "views tried", "proposed", "queries shared", "saved"]
    print(grid(columns, [measure(n) for n in options.queries]))


if __name__ == "__main__":
    main()
