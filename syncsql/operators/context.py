"""What an operator may ask for while a slice of time is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from syncsql.algebra.relations import Scan
from syncsql.algebra.sync import Points
from syncsql.storage.stored import Stored


@dataclass(frozen=True)
class Slice:
    """The time (start, end] of one view's run. ``first`` is the view's first point where it begins in this slice:
    then there is nothing before, and the whole answer appears at ``first``."""

    start: int
    end: int
    first: int | None = None


class State(Protocol):
    """What one operator remembers: a row per key, the newest counts."""

    def current(self, session: SparkSession, keys: DataFrame | None) -> DataFrame | None:
        """The rows whose keys begin with ``keys`` (all without) before the slice; None where nothing was saved."""

    def save(self, rows: DataFrame) -> None:
        """New rows of the touched keys, to be committed with the advance."""


class Pending(Protocol):
    """Lines whose point is still to come."""

    def due(self, session: SparkSession) -> DataFrame | None:
        """The lines with points in this slice that earlier slices left."""

    def keep(self, lines: DataFrame) -> None:
        """Lines with points after this slice."""


class Context(Protocol):
    """The slice that is computed, and access to what is stored."""

    session: SparkSession
    slice: Slice
    dry: bool
    """Only the schema is wanted: nothing may run."""

    def stored(self, scan: Scan) -> Stored: ...

    def last_point(self, points: Points, at: int) -> int | None:
        """The last point at or before ``at``."""

    def points_between(self, points: Points, after: int, until: int) -> DataFrame:
        """The points in (after, until] as a DataFrame with the column ``_at``."""

    def state(self, keys: StructType, values: StructType) -> State:
        """The memory of the operator that asks; operators ask in the order in which the plan is compiled."""

    def once(self, frame: DataFrame) -> DataFrame:
        """``frame`` for a reader that reads it several times: it is computed once."""

    def pending(self, row: StructType) -> Pending:
        """The waiting lines of the operator that asks."""
