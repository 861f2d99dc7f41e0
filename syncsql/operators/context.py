"""What an operator may ask for while a slice of time is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pyspark.sql.types import DataType

from syncsql.algebra.relations import Scan
from syncsql.algebra.sync import Points
from syncsql.storage.feed import Feed
from syncsql.storage.scratch import Scratch
from syncsql.stream.flow import Flow
from syncsql.stream.kept import Kept
from syncsql.stream.text import Sql


@dataclass(frozen=True)
class Slice:
    """The time (start, end] of one view's run. ``first`` is the view's first point where it begins in this slice:
    then there is nothing before, and the whole answer appears at ``first``."""

    start: int
    end: int
    first: int | None = None


class State(Protocol):
    """What one operator remembers: a row per key, the newest counts."""

    def current(self, keys: Sql | None = None, by: Sequence[str] = ()) -> Sql | None:
        """The rows whose key columns ``by`` are among ``keys`` (all rows without) before the slice; None where nothing
        was saved."""

    def save(self, rows: Kept, flag: str, values: Mapping[str, str], counts: Sequence[str]) -> None:
        """The rows of ``rows`` with ``flag`` are the new ones of the touched keys, to be committed with the advance;
        ``values`` says in which column each value is, or by which expression it is had where the rows are not held. A
        key whose ``counts`` are all 0 is as good as one that never was."""


class Pending(Protocol):
    """Lines whose point is still to come."""

    def due(self) -> Sql | None:
        """The lines with points in this slice that earlier slices left."""

    def keep(self, lines: Sql) -> None:
        """Lines with points after this slice."""


class Context(Protocol):
    """The slice that is computed, and access to what is stored."""

    slice: Slice
    scratch: Scratch
    dry: bool
    """Only the schema is wanted: nothing may run."""

    def feed(self, scan: Scan) -> Feed: ...

    def last_point(self, points: Points, at: int) -> int | None:
        """The last point at or before ``at``."""

    def points_between(self, points: Points, after: int, until: int) -> Sql:
        """The points in (after, until] as a relation with the column ``_at``."""

    def type_of(self, expression: str, source: Sql) -> DataType:
        """The type that Spark gives to ``expression`` over ``source``; asked once in the life of a view."""

    def state(self, keys: list[str], values: list[str], example: Sql) -> State:
        """The memory of the operator that asks; operators ask in the order in which the plan is compiled.

        ``example`` has columns of these names, whose types the memory takes."""

    def pending(self, names: list[str], example: Sql) -> Pending:
        """The waiting lines of the operator that asks."""


def settled(flow: Flow, context: Context) -> Sql:
    """The lines of ``flow`` for a reader that reads them twice."""
    return context.scratch.once(flow.lines).text if flow.costly else flow.lines
