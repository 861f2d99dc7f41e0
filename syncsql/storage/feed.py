"""What a scan reads: the changes of a stream and its relation as of any point, be they stored or derived when read.

A change is a line of the stream's log: ``_change_type``, the row (for a deletion the row that went), ``_before`` (the
row that the key had at the point before), ``_at``, and ``_net``: whether the line is the last of its key there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

from pyspark.sql.types import BooleanType, LongType, StringType, StructField, StructType

from syncsql.errors import EngineError
from syncsql.storage.scratch import Scratch
from syncsql.stream.names import AT, BEFORE, CHANGE, DELETE, FULL, INSERT, NET, SEQ, TS
from syncsql.stream.text import Sql, among, listed, over, quoted

# The setting that says how many ticks of history are kept.
RETENTION = "spark.syncsql.retention.ticks"


@dataclass
class Feed(ABC):
    """``row`` has the visible columns and then hidden key columns, if any. ``labels`` has, for each visible column,
    the name that users know it by; where it is empty these are the columns."""

    name: str
    row: StructType
    key: tuple[str, ...] | None
    append_only: bool
    labels: dict[str, str]

    @property
    def columns(self) -> list[str]:
        return self.row.names

    @cached_property
    def visible(self) -> dict[str, str]:
        """The columns that users see, with the names that they know."""
        return self.labels or {c: c for c in self.columns}

    def column(self, label: str) -> str:
        """The stored name of a column that users know as ``label``; a hidden one has no other name."""
        return next((c for c, known in self.visible.items() if known == label), label)

    @cached_property
    def log_schema(self) -> StructType:
        # The engine's columns come first: statistics are kept for the first 32 columns of a table only.
        head = [
            StructField(AT, LongType()),
            StructField(CHANGE, StringType()),
            StructField(SEQ, LongType()),
            StructField(NET, BooleanType()),
            StructField(FULL, BooleanType()),
        ]
        before = [] if self.key is None else [StructField(BEFORE, self.row)]
        return StructType([*head, *self.row.fields, *before])

    @cached_property
    def relation_schema(self) -> StructType:
        return StructType([StructField(TS, LongType()), *self.row.fields])

    # What is read

    @property
    @abstractmethod
    def kept(self) -> int | None:
        """The time from which on the relation is known, and after which the changes; None where all are kept."""

    @abstractmethod
    def changes(self, scratch: Scratch, after: int | None, until: int | None) -> Sql:
        """The lines with points in (after, until]; None leaves a side open."""

    @abstractmethod
    def lines(self, after: int | None, until: int | None) -> int:
        """How many lines there are in (after, until], at most; told without a job."""

    @abstractmethod
    def at(self, scratch: Scratch, point: int, keys: Sql | None = None, ts: bool = True) -> Sql:
        """R[S(point)] with the ``_ts`` of each row, which may be NULL where ``ts`` says that nobody reads it.

        ``keys`` restricts the answer to those keys (for a stream without a key: to those rows)."""

    @abstractmethod
    def size(self, point: int | None) -> int:
        """How many rows the relation has at the point, at most; told without a job."""

    @abstractmethod
    def refresh(self) -> None:
        """Lets a reader see what was committed since."""

    def since(self, time: int | None) -> int | None:
        """After which time to read changes for someone who asks for those after ``time``, or for all that are kept."""
        if time is None or self.kept is None:
            return self.kept if time is None else time
        if time < self.kept:
            raise not_kept(self.name, time, self.kept)
        return time

    # Lines to rows

    def among_keys(self, rows: Sql, keys: Sql | None) -> Sql:
        columns = [quoted(c) for c in (self.columns if self.key is None else self.key)]
        return rows if keys is None else among(rows, columns, keys, columns)

    def folded(self, scratch: Scratch, base: Sql | None, tail: Sql, keys: Sql | None) -> Sql:
        """The relation ``base`` after the lines of ``tail``."""
        row = [quoted(c) for c in self.columns]
        if self.key is None:
            return self._bag(scratch, base, tail, row, keys)
        key = [quoted(k) for k in self.key]
        newest = f"row_number() {over(key, f'{AT} DESC, {SEQ} DESC')} AS _n"
        net = f"SELECT *, {newest} FROM ({self.among_keys(tail, keys)}) WHERE {NET}"
        last = f"SELECT * FROM ({net}) WHERE _n = 1"
        alive = f"SELECT {listed([f'{AT} AS {TS}', *row])} FROM ({last}) WHERE {CHANGE} <> '{DELETE}'"
        if base is None:
            return alive
        kept = among(self.among_keys(base, keys), key, last, key, anti=True)
        return scratch.union(f"SELECT {listed([TS, *row])} FROM ({kept})", alive)

    def _bag(self, scratch: Scratch, base: Sql | None, tail: Sql, row: list[str], keys: Sql | None) -> Sql:
        """A bag: a deletion takes out the oldest of the equal rows (first in, first out)."""
        rows = f"SELECT {listed([f'{AT} AS {TS}', *row])} FROM ({tail}) WHERE {CHANGE} = '{INSERT}'"
        if base is not None:
            rows = scratch.union(f"SELECT {listed([TS, *row])} FROM ({base})", rows)
        rows = self.among_keys(rows, keys)
        if self.append_only:
            return rows
        gone = f"SELECT CAST(NULL AS BIGINT), {listed(row)}, 1 FROM ({tail}) WHERE {CHANGE} = '{DELETE}'"
        both = scratch.union(f"SELECT {listed([TS, *row])}, 0 AS _d FROM ({rows})", gone)
        counted = f"SELECT *, sum(_d) {over(row)} AS _gone FROM ({both})"
        numbered = f"SELECT *, row_number() {over(row, TS)} AS _n FROM ({counted}) WHERE _d = 0"
        return f"SELECT {listed([TS, *row])} FROM ({numbered}) WHERE _n > _gone"


def not_kept(name: str, time: int | None, kept: int) -> EngineError:
    asked = "its whole history" if time is None or time < 0 else f"what it was at {time}"
    return EngineError(
        "TIME.NOT_KEPT", f"`{name}` is kept from {kept} on: {asked} is not known any more",
        hint=f"ask for {kept} or later; {RETENTION} says how much is kept",
    )  # fmt: skip
