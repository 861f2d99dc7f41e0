"""What a database holds: sources, streams and views with the tables behind them. It is the binder's catalog."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from pyspark.sql.types import ArrayType, DataType, LongType, MapType, StringType, StructField, StructType

from syncsql.algebra.catalog import Definition, SourceDef, StreamDef, ViewDef
from syncsql.dataflow.memory import Memory
from syncsql.dataflow.view import Continuous, Execution
from syncsql.errors import BindError, did_you_mean
from syncsql.storage.feed import Feed
from syncsql.storage.stored import Stored
from syncsql.storage.table import Table
from syncsql.stream.names import AT, POS, PUSH

# The quarantine of a source: which push and place, for which stream (NULL: for all), why, and the row as JSON.
QUARANTINE = StructType(
    [
        StructField(AT, LongType()),
        StructField(PUSH, LongType()),
        StructField(POS, LongType()),
        StructField("stream", StringType()),
        StructField("reason", StringType()),
        StructField("detail", StringType()),
        StructField("row", StringType()),
    ]
)


def ddl_row(fields: list[tuple[str, str]]) -> StructType:
    """Columns given by Spark's DDL types; CHAR and VARCHAR are kept as STRING, which Delta's files hold anyway."""
    return StructType([StructField(name, _type(text)) for name, text in fields])


def _type(text: str) -> DataType:
    head = text.upper().split("(")[0]
    return StringType() if head in ("CHAR", "VARCHAR") else _unquoted(DataType.fromDDL(text))


def _unquoted(type_: DataType) -> DataType:
    """PySpark takes the quotes around the name of a nested field for a part of it."""
    if isinstance(type_, StructType):
        return StructType([
            StructField(re.sub("^`(.*)`$", r"\1", f.name).replace("``", "`"), _unquoted(f.dataType), f.nullable)
            for f in type_.fields
        ])  # fmt: skip
    if isinstance(type_, ArrayType):
        return ArrayType(_unquoted(type_.elementType), type_.containsNull)
    if isinstance(type_, MapType):
        return MapType(_unquoted(type_.keyType), _unquoted(type_.valueType), type_.valueContainsNull)
    return type_


@dataclass
class Source:
    definition: SourceDef
    root: Path
    directory: str
    not_null: frozenset[str] = frozenset()
    row: StructType = field(init=False, repr=False)
    raw: Table = field(init=False, repr=False)
    quarantine: Table = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.row = ddl_row([(f.name, f.type) for f in self.definition.fields])
        head = [StructField(AT, LongType()), StructField(PUSH, LongType()), StructField(POS, LongType())]
        self.raw = Table(self.root / "sources" / self.directory, StructType([*head, *self.row.fields]), AT)
        self.quarantine = Table(self.root / "quarantine" / self.directory, QUARANTINE, AT)

    @property
    def name(self) -> str:
        return self.definition.name

    def create(self) -> None:
        self.raw.create()
        self.quarantine.create()

    def drop(self) -> None:
        self.raw.drop()
        self.quarantine.drop()


@dataclass
class Stream:
    definition: StreamDef
    source: Source
    root: Path
    directory: str
    created: int
    stored: Stored = field(init=False, repr=False)

    def __post_init__(self) -> None:
        d = self.definition
        row = ddl_row([(f.name, f.type) for f in d.fields])
        self.stored = Stored(d.name, row, d.key, d.append_only, {}, self.root, self.directory)

    @property
    def name(self) -> str:
        return self.definition.name

    @property
    def feed(self) -> Feed:
        return self.stored

    @property
    def needs(self) -> set[str]:
        return set()


@dataclass
class View:
    """``continuous`` is what the view means and ``execution`` how it is computed. ``feed`` is what its readers read:
    its tables, what derives it where it is virtual, and None for a view over the clock. ``first`` is its first point
    once that is known. A part is what several views have in common: nobody made it, and it goes with the last of them.
    """

    definition: ViewDef
    continuous: Continuous
    execution: Execution
    feed: Feed | None
    root: Path
    directory: str
    created: int
    first: int | None = None
    memory: Memory = field(default_factory=Memory, repr=False)
    is_part: bool = False

    @property
    def stored(self) -> Stored | None:
        """The tables of a view that has some."""
        return self.feed if isinstance(self.feed, Stored) else None

    @property
    def name(self) -> str:
        return self.definition.name

    @property
    def inputs(self) -> set[str]:
        """What it reads by its own text."""
        return self.continuous.inputs

    @property
    def needs(self) -> set[str]:
        """What has to be computed before it."""
        return self.execution.inputs | self.continuous.inputs


Entry = Source | Stream | View


def _is_part(entry: Entry) -> bool:
    return isinstance(entry, View) and entry.is_part


class Registry:
    """The entries in the order of their creation: what a view reads comes before it. ``feeds`` has, by lower-case
    name, what readers of a stream or view read."""

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}
        self.feeds: dict[str, Feed] = {}

    # The binder's side

    def find(self, name: str) -> Definition | None:
        entry = self._entries.get(name.lower())
        return entry.definition if entry is not None and not _is_part(entry) else None

    def names(self) -> list[str]:
        return [e.name for e in self if not _is_part(e)]

    # The engine's side

    def __iter__(self) -> Iterator[Entry]:
        return iter(list(self._entries.values()))

    def get(self, name: str) -> Entry | None:
        return self._entries.get(str(name).lower())

    def source(self, name: str) -> Source:
        entry = self.get(name)
        if not isinstance(entry, Source):
            what = f"there is no source `{name}`" if entry is None else f"`{name}` is not a source"
            raise BindError(
                "SOURCE.UNKNOWN", what,
                hint=did_you_mean(name, [s.name for s in self.sources()]) or "REGISTER SOURCE comes first",
            )  # fmt: skip
        return entry

    def sources(self) -> list[Source]:
        return [e for e in self if isinstance(e, Source)]

    def streams(self) -> list[Stream]:
        return [e for e in self if isinstance(e, Stream)]

    def views(self) -> list[View]:
        """The views that users made."""
        return [v for v in self.computed() if not v.is_part]

    def computed(self) -> list[View]:
        """All views, and the parts that they have in common."""
        return [e for e in self if isinstance(e, View)]

    def parts(self) -> list[View]:
        return [v for v in self.computed() if v.is_part]

    def told_parts(self, view: View) -> str | None:
        """In words, the parts that ``view`` reads: who else does."""
        read = {p.name.lower() for p in self.parts()} & view.execution.inputs
        others = [v.name for v in self.views() if v is not view and v.execution.inputs & read]
        return f"a part shared with {', '.join(others)}" if read else None

    def add(self, entry: Entry) -> None:
        """A replaced view takes the place of the old one, so that those who read it still come after it."""
        self._entries[entry.name.lower()] = entry
        if isinstance(entry, Stream | View) and entry.feed is not None:
            self.feeds[entry.name.lower()] = entry.feed

    def remove(self, name: str) -> None:
        del self._entries[name.lower()]
        self.feeds.pop(name.lower(), None)

    def dependents(self, name: str) -> list[str]:
        """Who would be left without an input."""
        lower = name.lower()
        streams = [s.name for s in self.streams() if s.source.name.lower() == lower]
        return streams + [v.name for v in self.views() if lower in v.inputs]

    def above(self, name: str) -> set[str]:
        """``name`` and the views that need it, directly or not (lower case): none of these can answer it."""
        found = {name.lower()}
        todo = [name.lower()]
        while todo:
            needed = todo.pop()
            more = {v.name.lower() for v in self.computed() if needed in v.needs} - found
            found |= more
            todo += more
        return found

    def directories(self) -> set[str]:
        """The directories that the entries use."""
        return {e.directory for e in self} | {v.execution.memory for v in self.computed()}

    def directory(self, name: str) -> str:
        """A new directory for ``name``: readable, valid on any file system, and not in use."""
        # Not %: Delta's readers take it for the escape of an address. Nor a dot, which alone would be a directory.
        plain = quote(name.lower(), safe="").replace(".", "%2E").replace("%", "~")
        used = self.directories()
        candidate, n = plain, 1
        while candidate in used:
            n += 1
            candidate = f"{plain}~{n}"
        return candidate
