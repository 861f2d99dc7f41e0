"""The catalog and the progress of a database, as Delta tables that only grow."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa
from pyspark.sql.types import LongType, StringType, StructField, StructType

from syncsql.storage.table import Table


@dataclass(frozen=True)
class Event:
    """A change of the catalog. ``event`` is create, drop or replan; ``sql`` the statement; ``directory`` where the
    thing is kept; ``created`` up to which time the database was closed then; ``row`` the columns of a view, as Spark's
    JSON; ``runs`` how a view is computed where that is not as it is written. What is of kind ``database`` is a setting:
    its ``name``, and its value as ``sql``."""

    seq: int
    event: str
    kind: str
    name: str
    sql: str
    directory: str
    created: int
    row: str | None = None
    runs: str | None = None


@dataclass(frozen=True)
class Advance:
    """An advance over the time (start, end]: first its intent, then that every table has committed it."""

    number: int
    start: int
    end: int
    status: str


_CATALOG = StructType(
    [
        StructField("seq", LongType()),
        *(StructField(n, StringType()) for n in ("event", "kind", "name", "sql", "directory")),
        StructField("created", LongType()),
        StructField("row", StringType()),
        StructField("runs", StringType()),
    ]
)
_ADVANCES = StructType(
    [*(StructField(n, LongType()) for n in ("number", "start", "end")), StructField("status", StringType())]
)


class CatalogTable:
    def __init__(self, root: Path) -> None:
        self.table = Table(root / "_catalog", _CATALOG)

    def events(self) -> list[Event]:
        return sorted((Event(**r) for r in self.table.arrow().to_pylist()), key=lambda e: e.seq)

    def append(self, *events: Event) -> None:
        self.table.write(pa.Table.from_pylist([asdict(e) for e in events], schema=self.table.arrow_schema))


class AdvanceTable:
    def __init__(self, root: Path) -> None:
        self.table = Table(root / "_advances", _ADVANCES, "number")

    def last(self) -> Advance | None:
        """The newest advance; it is ``done``, or its intent stands and it has to be run again."""
        newest = max((f.high for f in self.table.files() if f.high is not None), default=None)
        if newest is None:
            return None
        lines = [Advance(**r) for r in self.table.arrow(after=newest - 1).to_pylist()]
        return next((a for a in lines if a.status == "done"), lines[0])

    def all(self) -> list[Advance]:
        found: dict[int, Advance] = {}
        for row in self.table.arrow().to_pylist():
            advance = Advance(**row)
            if advance.number not in found or advance.status == "done":
                found[advance.number] = advance
        return [found[n] for n in sorted(found)]

    def append(self, advance: Advance) -> None:
        self.table.write(pa.Table.from_pylist([asdict(advance)], schema=self.table.arrow_schema))
