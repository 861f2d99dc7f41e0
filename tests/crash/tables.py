"""What a database holds, as values to compare: all its Delta tables, its directories, and what users read of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deltalake import DeltaTable
from pyspark.sql import SparkSession

from syncsql.session import Database, connect


def directories(root: Path) -> set[str]:
    """The directories that are not inside a Delta table, and the tables themselves."""
    found = {str(p.relative_to(root)) for p in root.rglob("*") if p.is_dir()}
    return {p for p in found if not p.endswith("_delta_log") and "/_delta_log/" not in p}


def tables(root: Path) -> dict[str, list[str]]:
    """The rows of every Delta table, as a Delta reader sees them, in an order that does not depend on files. Decisions
    and savings tell how long something took, which is never the same."""
    paths = [log.parent for log in root.rglob("_delta_log") if log.parent.name not in ("_decisions", "_savings")]
    return {str(p.relative_to(root)): _rows(p) for p in sorted(paths)}


def _rows(path: Path) -> list[str]:
    return sorted(repr(row) for row in DeltaTable(str(path)).to_pyarrow_table().to_pylist())


def streams(root: Path, spark: SparkSession) -> dict[str, list[str]]:
    """What users read: every stream line by line, full points, relations, raw tuples and quarantine in their order."""
    with connect(root, spark, read_only=True) as db:
        return read_all(db)


def read_all(db: Database) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in db.sources:
        found[f"tuples {name}"] = lines(db.sources[name].tuples())
        found[f"quarantine {name}"] = lines(db.sources[name].quarantine())
    for name, handle in [*((n, db.streams[n]) for n in db.streams), *((n, db.views[n]) for n in db.views)]:
        found[f"changes {name}"] = lines(handle.changes())
        found[f"relation {name}"] = sorted(lines(handle.relation()))
        if handle._engine.registry.feeds.get(name.lower()) is not None:
            found[f"points {name}"] = lines(handle.points())
    return found


def lines(frame: Any) -> list[str]:
    # repr tells apart what == does not (0.0 and -0.0), and finds NaN equal to itself.
    return [repr(tuple(row.values())) for row in frame.toArrow().to_pylist()]
