"""Running one view over one slice: its plan becomes SQL, its memory and its log become commits.

Memory commits first and the log last, all under the number of the advance. So a log that has the number says that the
whole run happened, and a run that is repeated after a crash finds the memory as it was before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
from pyspark.sql.types import DataType, LongType, StructField, StructType

from syncsql.algebra.keys import key_of
from syncsql.algebra.relations import Join, Scan, scans, walk
from syncsql.algebra.sync import Points
from syncsql.dataflow.compiler import compile_plan
from syncsql.dataflow.emit import emit
from syncsql.dataflow.memory import NUMBER, Memory, PendingTable, StateTable, Writes
from syncsql.dataflow.points import PointReader
from syncsql.dataflow.registry import View
from syncsql.dataflow.view import Continuous
from syncsql.operators.context import Pending, Slice, State
from syncsql.operators.scan import reaches, rows_in
from syncsql.storage.scratch import Scratch, commit
from syncsql.storage.sessions import Sessions
from syncsql.storage.stored import Stored
from syncsql.storage.table import Table
from syncsql.stream.kept import Kept
from syncsql.stream.names import AT
from syncsql.stream.text import Sql, listed


@dataclass
class _Run:
    """The context of one run. Operators number their memory in the order in which the plan is compiled."""

    scratch: Scratch
    slice: Slice
    stored_by_name: Mapping[str, Stored]
    number: int
    root: Path
    directory: str
    memory: Memory
    dry: bool = False
    writes: Writes = field(default_factory=Writes)
    _states: int = 0
    _pendings: int = 0

    @property
    def _points(self) -> PointReader:
        return PointReader(self.scratch, self.stored_by_name)

    def stored(self, scan: Scan) -> Stored:
        return self.stored_by_name[scan.name.lower()]

    def last_point(self, points: Points, at: int) -> int | None:
        return self._points.last(points, at)

    def points_between(self, points: Points, after: int, until: int) -> Sql:
        return self._points.between(points, after, until)

    def type_of(self, expression: str, source: Sql) -> DataType:
        known = self.memory.types
        if expression not in known:
            known[expression] = self._schema(f"SELECT {expression} AS x FROM ({source})")[0].dataType
        return known[expression]

    def state(self, keys: list[str], values: list[str], example: Sql) -> State:
        if self.dry:
            return _Nothing()
        self._states += 1
        path = self.root / "states" / self.directory / str(self._states - 1)
        names = {**{k: f"k{i}" for i, k in enumerate(keys)}, **{v: f"v{i}" for i, v in enumerate(values)}}
        return StateTable(
            self._table(path, NUMBER, names, example), keys, values, self.number, self.scratch, self.writes
        )

    def pending(self, names: list[str], example: Sql) -> Pending:
        if self.dry:
            return _Nothing()
        self._pendings += 1
        path = self.root / "pending" / self.directory / str(self._pendings - 1)
        table = self._table(path, AT, {n: f"c{i}" for i, n in enumerate(names)}, example)
        return PendingTable(table, names, (self.slice.start, self.slice.end), self.scratch, self.writes)

    def _table(self, path: Path, time: str, names: Mapping[str, str], example: Sql) -> Table:
        """The table at ``path``, made where there is none with the types of ``example``."""
        tables = self.memory.tables
        if path not in tables:
            cells = listed(f"{name} AS {stored}" for name, stored in names.items())
            schema = self._schema(f"SELECT {cells} FROM ({example})")
            tables[path] = Table(path, StructType([StructField(time, LongType()), *schema.fields]), time).create()
        return tables[path]

    def _schema(self, text: Sql) -> StructType:
        schema = self.scratch.session.sql(text).schema
        return StructType([StructField(f.name, f.dataType) for f in schema.fields])


class _Nothing:
    """The memory of a view that is only looked at."""

    def current(self, keys: Sql | None = None, by: object = ()) -> Sql | None:
        return None

    def save(self, rows: Kept, flag: str, values: Mapping[str, str]) -> None:
        """Nothing runs, so nothing is kept."""

    def due(self) -> Sql | None:
        return None

    def keep(self, lines: Sql) -> None:
        """Nothing runs, so nothing is kept."""


def row_of(continuous: Continuous, stored: Mapping[str, Stored], sessions: Sessions, root: Path) -> StructType:
    """The columns of a view's rows with the types that Spark gives them; raises what Spark does not accept."""
    with sessions.scratch(0, dry=True) as scratch:
        context = _Run(scratch, Slice(-1, -1), stored, 0, root, "", Memory(), dry=True)
        schema = scratch.session.sql(str(_log(continuous, context))).schema
    return StructType([StructField(n, schema[n].dataType) for n in continuous.names])


def _log(continuous: Continuous, context: _Run) -> Sql | pa.Table:
    flow = compile_plan(continuous.plan, context)
    if key_of(continuous.plan) != continuous.key:
        # Pairs are by the key of what runs; the stream has a change per key of the query.
        flow = flow.without_pairs()
    return emit(flow, continuous.columns, continuous.names, continuous.key, continuous.syncs, context)


class Runner:
    """Runs views of one database."""

    def __init__(self, sessions: Sessions, stored: Mapping[str, Stored]) -> None:
        self._sessions = sessions
        self._stored = stored

    def first_point(self, view: View, until: int) -> int | None:
        """The first point of the view, if it is at or before ``until``: the first of any of its sync streams."""
        if view.first is None:
            after = max(view.created, 0) - 1
            with self._sessions.scratch(0) as scratch:
                points = PointReader(scratch, self._stored)
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
            log = _log(view.continuous, context)
            for table, part, overwrite in context.writes.items:
                commit(table, part, number, context.scratch, overwrite)
            return commit(view.stored.log, log, number, context.scratch)

    def _context(self, view: View, span: Slice, number: int) -> _Run:
        scratch = self._sessions.scratch(0)
        return _Run(scratch, span, self._stored, number, view.root, view.directory, view.memory)

    def _touched(self, view: View, context: _Run) -> bool:
        """Whether anything happens to the view in the slice, told from statistics alone."""
        if any(reaches(s, context) for s in scans(view.continuous.plan)):
            return True
        span = context.slice
        return any(t.rows(span.start, span.end) > 0 for t in self._pending_tables(view))

    def _pending_tables(self, view: View) -> list[Table]:
        home = view.root / "pending" / view.directory
        known = [t for p, t in view.memory.tables.items() if p.parent == home]
        if known or not home.exists():
            return known
        only_time = StructType([StructField(AT, LongType())])
        return [Table(p, only_time, AT) for p in home.iterdir() if not p.name.startswith(".")]

    def _size(self, view: View, context: _Run) -> tuple[int, int]:
        """How many rows the run has to look at, and how many of them are changes."""
        plan = view.continuous.plan
        changes = sum(rows_in(s, context) for s in scans(plan))
        changes += sum(t.rows(context.slice.start, context.slice.end) for t in self._pending_tables(view))
        states = sum(t.rows() for p, t in view.memory.tables.items() if p.parent.parent.name == "states")
        relations = 0
        if any(isinstance(n, Join) for n in walk(plan)) or any(s.ts is not None for s in scans(plan)):
            stored = [self._stored[s.name.lower()] for s in scans(plan) if s.kind != "clock"]
            relations = sum(s.relation.rows() for s in stored)
        return changes + states + relations, changes
