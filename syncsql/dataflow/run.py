"""Running one view over one slice: its plan becomes DataFrames, its memory and its log become commits.

Memory commits first and the log last, all under the number of the advance. So a log that has the number says that the
whole run happened, and a run that is repeated after a crash finds the memory as it was before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import LongType, StructField, StructType

from syncsql.algebra.relations import Join, Scan, scans, walk
from syncsql.algebra.sync import Points
from syncsql.dataflow.compiler import compile_plan
from syncsql.dataflow.emit import emit
from syncsql.dataflow.memory import PendingTable, StateTable
from syncsql.dataflow.points import PointReader
from syncsql.dataflow.registry import View
from syncsql.dataflow.view import Continuous
from syncsql.operators.context import Pending, Slice, State
from syncsql.operators.scan import reaches, rows_in
from syncsql.storage.fetch import Writes, commit, fetch
from syncsql.storage.sessions import SMALL_ROWS, Sessions, from_arrow
from syncsql.storage.stored import Stored
from syncsql.storage.table import Table
from syncsql.stream.names import AT


@dataclass
class _Run:
    """The context of one run. Operators number their memory in the order in which the plan is compiled."""

    session: SparkSession
    slice: Slice
    stored_by_name: Mapping[str, Stored]
    points: PointReader
    number: int
    root: Path
    directory: str
    tables: dict[Path, Table]
    dry: bool = False
    small: bool = False
    writes: Writes = field(default_factory=Writes)
    kept: list[DataFrame] = field(default_factory=list)
    _states: int = 0
    _pendings: int = 0

    def stored(self, scan: Scan) -> Stored:
        return self.stored_by_name[scan.name.lower()]

    def last_point(self, points: Points, at: int) -> int | None:
        return self.points.last(points, at)

    def points_between(self, points: Points, after: int, until: int) -> DataFrame:
        return self.points.between(points, after, until)

    def state(self, keys: StructType, values: StructType) -> State:
        if self.dry:
            return _Nothing()
        path = self.root / "states" / self.directory / str(self._states)
        self._states += 1
        return StateTable(path, keys, values, self.number, self.writes, self.tables)

    def once(self, frame: DataFrame) -> DataFrame:
        if self.dry:
            return frame
        if self.small:
            rows = fetch(frame)
            if rows is not None:
                return from_arrow(self.session, rows, frame.schema)
        self.kept.append(frame.persist())
        return self.kept[-1]

    def pending(self, row: StructType) -> Pending:
        if self.dry:
            return _Nothing()
        path = self.root / "pending" / self.directory / str(self._pendings)
        self._pendings += 1
        return PendingTable(path, row, self.slice.start, self.slice.end, self.writes, self.tables)


class _Nothing:
    """The memory of a view that is only looked at."""

    def current(self, session: SparkSession, keys: DataFrame | None) -> DataFrame | None:
        return None

    def save(self, rows: DataFrame) -> None:
        """Nothing runs, so nothing is kept."""

    def due(self, session: SparkSession) -> DataFrame | None:
        return None

    def keep(self, lines: DataFrame) -> None:
        """Nothing runs, so nothing is kept."""


def row_of(continuous: Continuous, stored: Mapping[str, Stored], sessions: Sessions, root: Path) -> StructType:
    """The columns of a view's rows with the types that Spark gives them; raises what Spark does not accept."""
    session = sessions.small
    context = _Run(session, Slice(-1, -1), stored, PointReader(session, stored), 0, root, "", {}, dry=True)
    schema = _log(continuous, context).schema
    return StructType([StructField(n, schema[n].dataType) for n in continuous.names])


def _log(continuous: Continuous, context: _Run) -> DataFrame:
    flow = compile_plan(continuous.plan, context)
    return emit(flow, continuous.columns, continuous.names, continuous.key, continuous.syncs, context)


class Runner:
    """Runs views of one database."""

    def __init__(self, sessions: Sessions, stored: Mapping[str, Stored]) -> None:
        self._sessions = sessions
        self._stored = stored
        self.points = PointReader(sessions.small, stored)

    def first_point(self, view: View, until: int) -> int | None:
        """The first point of the view, if it is at or before ``until``: the first of any of its sync streams."""
        if view.first is None:
            after = max(view.created, 0) - 1
            found = [self.points.first(s.points, after, until) for s in view.continuous.syncs]
            view.first = min((p for p in found if p is not None), default=None)
        return view.first if view.first is not None and view.first <= until else None

    def run(self, view: View, start: int, end: int, number: int) -> int:
        """Computes the view over (start, end]; gives the number of lines that its stream has got."""
        assert view.stored is not None
        if view.stored.log.number() >= number:
            return 0
        first = self.first_point(view, end)
        if first is None:
            return 0
        begins = first > start
        span = Slice(first - 1 if begins else start, end, first if begins else None)
        context = self._context(view, span, number)
        if not begins and not self._touched(view, context):
            return 0
        rows, changes = self._size(view, context)
        context.session = self._sessions.pick(rows)
        context.points = PointReader(context.session, self._stored)
        context.small = changes <= SMALL_ROWS
        try:
            log = _log(view.continuous, context)
            for table, frame, overwrite in context.writes.items:
                commit(table, frame, number, context.small, overwrite)
            return commit(view.stored.log, log, number, context.small)
        finally:
            for frame in context.kept:
                frame.unpersist()

    def _context(self, view: View, span: Slice, number: int) -> _Run:
        return _Run(
            self._sessions.small, span, self._stored, self.points, number, view.root, view.directory, view.memory
        )

    def _touched(self, view: View, context: _Run) -> bool:
        """Whether anything happens to the view in the slice, told from statistics alone."""
        if any(reaches(s, context) for s in scans(view.continuous.plan)):
            return True
        span = context.slice
        return any(t.rows(span.start, span.end) > 0 for t in self._pending_tables(view))

    def _pending_tables(self, view: View) -> list[Table]:
        home = view.root / "pending" / view.directory
        known = [t for p, t in view.memory.items() if p.parent == home]
        if known or not home.exists():
            return known
        only_time = StructType([StructField(AT, LongType())])
        return [Table(p, only_time, AT) for p in home.iterdir() if not p.name.startswith(".")]

    def _size(self, view: View, context: _Run) -> tuple[int, int]:
        """How many rows the run has to look at, and how many of them are changes."""
        plan = view.continuous.plan
        changes = sum(rows_in(s, context) for s in scans(plan))
        changes += sum(t.rows(context.slice.start, context.slice.end) for t in self._pending_tables(view))
        states = sum(t.rows() for p, t in view.memory.items() if p.parent.parent.name == "states")
        relations = 0
        if any(isinstance(n, Join) for n in walk(plan)) or any(s.ts is not None for s in scans(plan)):
            stored = [self._stored[s.name.lower()] for s in scans(plan) if s.kind != "clock"]
            relations = sum(s.relation.rows() for s in stored)
        return changes + states + relations, changes
