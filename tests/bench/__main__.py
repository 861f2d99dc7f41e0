from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from syncsql.storage.sessions import build_session
from tests.bench.engine import BENCHMARKS
from tests.bench.measure import load


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measures the engine, in ratios.")
    parser.add_argument("which", nargs="*", help=f"some of {', '.join(BENCHMARKS)}; all without")
    parser.add_argument("--scale", type=float, default=1.0, help="1 is the size that the goals are for")
    options = parser.parse_args()
    console = Console(width=150)
    table = Table("", "what", "ratio", "measured", title=f"scale {options.scale:g}")
    spark = build_session("syncsql-bench")
    with tempfile.TemporaryDirectory(prefix="syncsql-bench-") as home:
        for name in options.which or BENCHMARKS:
            console.print(f"{name}: {BENCHMARKS[name].__doc__} ({load()})")
            for row in BENCHMARKS[name](spark, Path(home), options.scale):
                table.add_row(*row)
    console.print(table)
    spark.stop()


main()
