"""What the binder must know of the things that a database holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from syncsql.algebra.expressions import Expr
from syncsql.algebra.sync import Points

# The type of a column that nobody has asked Spark about.
UNKNOWN = "UNKNOWN"


@dataclass(frozen=True)
class Field:
    """A column of a source, stream or view: the user's name and Spark's DDL type."""

    name: str
    type: str


@dataclass(frozen=True)
class SourceDef:
    name: str
    fields: tuple[Field, ...]
    timestamp_by: str | None
    origin: str | None


@dataclass(frozen=True)
class StreamDef:
    """A tagged stream over a source; ``key`` None is KEY NULL, ``operation_by`` the column that says + u -."""

    name: str
    source: str
    fields: tuple[Field, ...]
    key: tuple[str, ...] | None
    operation_by: str | None

    @property
    def append_only(self) -> bool:
        return self.key is None and self.operation_by is None


@dataclass(frozen=True)
class ViewDef:
    """A view as its readers see it. ``key`` holds only visible columns; a view with ``points`` or ``now_row`` is made
    from the clock and never stored: it is a stream of time points, or the one row that tells the time."""

    name: str
    sql: str
    mode: str
    fields: tuple[Field, ...]
    key: tuple[str, ...] | None
    append_only: bool
    stored: bool = True
    points: Points | None = None
    now_row: tuple[Expr, ...] | None = None


@dataclass(frozen=True)
class ForeignKey:
    """Where ``columns`` are not NULL, ``references`` has a row whose ``to`` columns are equal to them."""

    columns: tuple[str, ...]
    references: str
    to: tuple[str, ...]


@dataclass(frozen=True)
class TableDef:
    """A relation declared by CREATE TABLE, with the constraints that whoever declared it answers for."""

    name: str
    fields: tuple[Field, ...]
    keys: tuple[tuple[str, ...], ...] = ()
    not_null: frozenset[str] = frozenset()
    foreign_keys: tuple[ForeignKey, ...] = ()


Definition = SourceDef | StreamDef | ViewDef | TableDef


class Catalog(Protocol):
    """Names are looked up as Spark does: without regard to case."""

    def find(self, name: str) -> Definition | None: ...

    def names(self) -> Iterable[str]: ...
