"""Running one view over one slice: its plan becomes SQL, its memory and its log become commits.

Memory commits first and the log last, all under the number of the advance. So a log that has the number says that the
whole run happened, and a run that is repeated after a crash finds the memory as it was before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
from pyspark.sql.types import DataType, LongType, StructField, StructType

from syncsql.algebra.keys import key_of
from syncsql.algebra.relations import Join, Node, Scan, scans, walk
from syncsql.algebra.sync import Points
from syncsql.dataflow.compiler import compile_plan
from syncsql.dataflow.emit import emit
from syncsql.dataflow.memory import NUMBER, Memory, PendingTable, StateTable, Writes
from syncsql.dataflow.points import PointReader
from syncsql.dataflow.registry import View
from syncsql.dataflow.view import Continuous, Execution
from syncsql.operators.context import Pending, Slice, State
from syncsql.operators.scan import reaches, rows_in
from syncsql.storage.feed import Feed
from syncsql.storage.scratch import Scratch, Write, commit_all
from syncsql.storage.sessions import Sessions
from syncsql.storage.table import Table
from syncsql.stream.kept import Kept, Part
from syncsql.stream.names import AT
from syncsql.stream.text import Sql, listed


@dataclass
class _Run:
    """The context of one run. Operators number their memory in the order in which the plan is compiled. A run that is
    only looked at (``dry``), or whose slice begins with the whole answer and is never continued, has no memory."""

    scratch: Scratch
    slice: Slice
    feeds: Mapping[str, Feed]
    number: int
    root: Path
    directory: str
    memory: Memory | None
    dry: bool = False
    writes: Writes = field(default_factory=Writes)
    _states: int = 0
    _pendings: int = 0

    @property
    def _points(self) -> PointReader:
        return PointReader(self.scratch, self.feeds)

    def feed(self, scan: Scan) -> Feed:
        return self.feeds[scan.name.lower()]

    def last_point(self, points: Points, at: int) -> int | None:
        return self._points.last(points, at)

    def points_between(self, points: Points, after: int, until: int) -> Sql:
        return self._points.between(points, after, until)

    def type_of(self, expression: str, source: Sql) -> DataType:
        known = {} if self.memory is None else self.memory.types
        if expression not in known:
            known[expression] = self._schema(f"SELECT {expression} AS x FROM ({source})")[0].dataType
        return known[expression]

    def state(self, keys: list[str], values: list[str], example: Sql) -> State:
        if self.memory is None:
            return _Nothing()
        self._states += 1
        path = self.root / "states" / self.directory / str(self._states - 1)
        names = {**{k: f"k{i}" for i, k in enumerate(keys)}, **{v: f"v{i}" for i, v in enumerate(values)}}
        return StateTable(
            self._table(path, NUMBER, names, example), keys, values, self.number, self.scratch, self.writes
        )

    def pending(self, names: list[str], example: Sql) -> Pending:
        if self.memory is None:
            return _Nothing()
        self._pendings += 1
        path = self.root / "pending" / self.directory / str(self._pendings - 1)
        table = self._table(path, AT, {n: f"c{i}" for i, n in enumerate(names)}, example)
        return PendingTable(table, names, (self.slice.start, self.slice.end), self.scratch, self.writes)

    def _table(self, path: Path, time: str, names: Mapping[str, str], example: Sql) -> Table:
        """The table at ``path``, made where there is none with the types of ``example``."""
        assert self.memory is not None
        tables = self.memory.tables
        if path not in tables:
            cells = listed(f"{name} AS {stored}" for name, stored in names.items())
            schema = self._schema(f"SELECT {cells} FROM ({example})")
            tables[path] = Table(path, StructType([StructField(time, LongType()), *schema.fields]), time).create()
        return tables[path]

    def _schema(self, text: Sql) -> StructType:
        schema = self.scratch.sql(text).schema
        return StructType([StructField(f.name, f.dataType) for f in schema.fields])


class _Nothing:
    """The memory of a run that has none."""

    def current(self, keys: Sql | None = None, by: object = ()) -> Sql | None:
        return None

    def save(self, rows: Kept, flag: str, values: Mapping[str, str], counts: Sequence[str]) -> None:
        """Nobody will ask for it."""

    def due(self) -> Sql | None:
        return None

    def keep(self, lines: Sql) -> None:
        """Nobody will ask for it."""


def row_of(continuous: Continuous, plan: Node, feeds: Mapping[str, Feed], sessions: Sessions, root: Path) -> StructType:
    """The columns of the rows of a view that is computed by ``plan``, with the types that Spark gives them; raises
    what Spark does not accept."""
    with sessions.scratch(0, dry=True) as scratch:
        context = _Run(scratch, Slice(-1, -1), feeds, 0, root, "", None, dry=True)
        log = _log(continuous, plan, context)
        schema = scratch.sql(log.sql if isinstance(log, Part) else str(log)).schema
    return StructType([StructField(n, schema[n].dataType) for n in continuous.names])


def _log(continuous: Continuous, plan: Node, context: _Run) -> Sql | Part | pa.Table:
    """The lines of a view's stream. The key of its answer is that of its meaning, however it is computed."""
    flow = compile_plan(plan, context)
    places = continuous.key_places
    key = None if places is None else tuple(plan.columns[p] for p in places)
    own = key_of(plan)
    if key is not None and (own is None or set(own) != set(key)):
        # Pairs are by the key of what runs; the stream has a change per key of its meaning.
        flow = flow.without_pairs()
    return emit(flow, plan.columns, continuous.names, key, continuous.syncs, context)


class Runner:
    """Runs views of one database."""

    def __init__(self, sessions: Sessions, feeds: Mapping[str, Feed]) -> None:
        self._sessions = sessions
        self._feeds = feeds

    def first_point(self, view: View, until: int) -> int | None:
        """The first point of the view, if it is at or before ``until``: the first of any of its sync streams."""
        if view.first is None:
            after = max(view.created, 0) - 1
            with self._sessions.scratch(0) as scratch:
                points = PointReader(scratch, self._feeds)
                found = [points.first(s.points, after, until) for s in view.continuous.syncs]
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
        with context.scratch:
            if not begins and not self._touched(view, context):
                return 0
            rows, changes = self._size(view, context)
        context.scratch = self._sessions.scratch(rows, changes)
        with context.scratch:
            log = _log(view.continuous, view.execution.plan, context)
            return commit_all([*context.writes.items, Write(view.stored.log, log)], number, context.scratch)

    def rebuild(self, view: View, execution: Execution, at: int, number: int) -> None:
        """Makes the memory that ``execution`` would have after an advance up to ``at``: all that its operators
        remember of the past is in the relations that they read."""
        if self.first_point(view, at) is None:
            return
        context = self._context(view, Slice(at - 1, at, at), number, execution)
        with context.scratch:
            rows, changes = self._size(view, context)
        context.scratch = self._sessions.scratch(rows, changes)
        with context.scratch:
            _log(view.continuous, execution.plan, context)
            commit_all(context.writes.items, number, context.scratch)

    def _context(self, view: View, span: Slice, number: int, execution: Execution | None = None) -> _Run:
        scratch = self._sessions.scratch(0)
        memory, directory = view.memory, view.execution.memory
        if execution is not None:
            memory, directory = Memory(), execution.memory
        return _Run(scratch, span, self._feeds, number, view.root, directory, memory)

    # Views that are derived when they are read

    def feed(self, scan: Scan) -> Feed:
        return self._feeds[scan.name.lower()]

    def last_point(self, points: Points, at: int) -> int | None:
        """The last point at or before ``at``."""
        with self._sessions.scratch(0) as scratch:
            return PointReader(scratch, self._feeds).last(points, at)

    def derived(self, view: View, scratch: Scratch, span: Slice) -> Sql:
        """The lines of ``view`` over ``span``, made without any memory."""
        assert view.feed is not None
        context = self.passing(scratch, span)
        log = _log(view.continuous, view.execution.plan, context)
        if isinstance(log, Part):
            return log.sql
        return log if isinstance(log, str) else scratch.rows(log, view.feed.log_schema)

    def coming(self, scan: Scan, start: int, end: int, first: int | None = None) -> int:
        """How many rows come in through ``scan`` in (start, end], at most; told from statistics."""
        with self._sessions.scratch(0) as scratch:
            return rows_in(scan, self.passing(scratch, Slice(start, end, first)))

    def passing(self, scratch: Scratch, span: Slice) -> _Run:
        """What operators ask, where nothing is remembered."""
        return _Run(scratch, span, self._feeds, 0, Path(), "", None)

    # What a run costs, told from statistics

    def _touched(self, view: View, context: _Run) -> bool:
        """Whether anything happens to the view in the slice, told from statistics alone."""
        if any(reaches(s, context) for s in scans(view.execution.plan)):
            return True
        span = context.slice
        return any(t.rows(span.start, span.end) > 0 for t in self._remembered(view, "pending"))

    def _remembered(self, view: View, kind: str) -> list[Table]:
        """The view's tables of a kind, states or pending, for what their statistics tell."""
        home = view.root / kind / view.execution.memory
        known = [t for p, t in view.memory.tables.items() if p.parent == home]
        if known or not home.exists():
            return known
        only_time = StructType([StructField(AT, LongType())])
        return [Table(p, only_time, AT) for p in home.iterdir() if not p.name.startswith(".")]

    def _size(self, view: View, context: _Run) -> tuple[int, int]:
        """How many rows the run has to look at, and how many of them are changes."""
        plan = view.execution.plan
        changes = sum(rows_in(s, context) for s in scans(plan))
        changes += sum(t.rows(context.slice.start, context.slice.end) for t in self._remembered(view, "pending"))
        states = sum(t.rows() for t in self._remembered(view, "states"))
        relations = 0
        if any(isinstance(n, Join) for n in walk(plan)) or any(s.ts is not None for s in scans(plan)):
            feeds = [self._feeds[s.name.lower()] for s in scans(plan) if s.kind != "clock"]
            relations = sum(f.size(context.slice.start) for f in feeds)
        return changes + states + relations, changes
