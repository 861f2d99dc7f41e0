"""ℜ_Sync(S): the changes of a stored stream, released at the points of its synchronization stream.

ℜ_Sync(S) at T is R[S(T')], T' the last point of Sync at or before T. So over the slice (F0, F1] exactly the operations
in (T'(F0), T'(F1)] come in, each at its release point, and what a key went through between two points counts as one
change. Operations after T'(F1) stay in the stream's log until their point comes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from syncsql.algebra.relations import Scan
from syncsql.operators.context import Context
from syncsql.storage.feed import Feed
from syncsql.stream.flow import Flow, consolidate
from syncsql.stream.names import AT, BEFORE, CHANGE, DELETE, INSERT, NET, NEW, OLD, SEQ, TS, WEIGHT
from syncsql.stream.regulator import release
from syncsql.stream.text import Sql, listed, over, quoted, struct

_POINT = "_r"
_BEFORE_TS = "_before_ts"


def scan_flow(scan: Scan, context: Context) -> Flow:
    if scan.kind == "clock":
        return _clock(scan, context)
    reader = _Reader(scan, context)
    if reader.feed.key is None:
        return Flow(scan.columns, reader.bag_lines, None, reader.before)
    return Flow(scan.columns, None, reader.pairs, reader.before)


def reaches(scan: Scan, context: Context) -> bool:
    """Whether anything of the stream comes in during the slice; told from statistics, without a job."""
    if scan.kind == "clock":
        return True
    after, until = _range(scan, context)
    return until is not None and context.feed(scan).lines(after, until) > 0


def rows_in(scan: Scan, context: Context) -> int:
    """How many rows of the stream come in during the slice, at most; told from statistics."""
    if scan.kind == "clock":
        return context.slice.end - context.slice.start
    after, until = _range(scan, context)
    feed = context.feed(scan)
    count = 0 if until is None else feed.lines(after, until)
    if context.slice.first is not None and after is not None:
        count += feed.size(after)
    return count


def _range(scan: Scan, context: Context) -> tuple[int | None, int | None]:
    """(T'(F0), T'(F1)] of the scan; for a view that begins in the slice, from T' of its first point."""
    points, span = scan.sync.points, context.slice
    start = span.start if span.first is None else span.first
    after, until = context.last_point(points, start), context.last_point(points, span.end)
    return after, (until if until is not None and (after is None or until > after) else None)


class _Reader:
    def __init__(self, scan: Scan, context: Context) -> None:
        self._scan = scan
        self._context = context
        self.feed: Feed = context.feed(scan)
        self._after, self._until = _range(scan, context)

    def _cells(self, ts: str, prefix: str = "") -> list[str]:
        """The scan's columns out of a log line or a struct of it, under their ids; ``ts`` is what holds their TS."""
        cells = [f"{prefix}{quoted(self.feed.column(c.name))} AS {c.id}" for c in self._scan.outputs]
        return cells if self._scan.ts is None else [*cells, f"{ts} AS {self._scan.ts.id}"]

    def _log(self) -> Sql | None:
        """The operations that come in, with their release point."""
        if self._until is None:
            return None
        after = -1 if self._after is None else self._after
        log = self.feed.changes(self._context.scratch, self._after, self._until)
        columns = [quoted(c) for c in self.feed.log_schema.names]
        points = self._scan.sync.points
        between = partial(self._context.points_between, points)
        return release(log, columns, points, (after, self._until), between, AT, _POINT)

    def _initial(self) -> Sql | None:
        """What a view that begins in the slice finds: the whole relation, at its first point."""
        if self._context.slice.first is None or self._after is None:
            return None
        return self._relation(self._after)

    def _relation(self, point: int, keys: Sql | None = None) -> Sql:
        return self.feed.at(self._context.scratch, point, keys, self._scan.ts is not None)

    def before(self) -> Sql:
        if self._context.slice.first is not None or self._after is None:
            rows = self._context.scratch.empty(self.feed.relation_schema)
        else:
            rows = self._relation(self._after)
        return f"SELECT {listed([*self._cells(TS), f'1L AS {WEIGHT}'])} FROM ({rows})"

    def _parts(self, initial: Callable[[Sql], Sql], changes: Callable[[Sql], Sql]) -> Sql:
        """What the view finds when it begins, and what comes in afterwards."""
        found, log = self._initial(), self._log()
        parts = [] if found is None else [initial(found)]
        parts += [] if log is None else [changes(log)]
        if not parts:
            nothing = self._context.scratch.empty(self.feed.relation_schema)
            return f"SELECT * FROM ({initial(nothing)}) WHERE FALSE"
        return self._context.scratch.union(*parts)

    @property
    def _first(self) -> str:
        return f"{self._context.slice.first or 0}L AS {AT}"

    # Without a key

    def bag_lines(self) -> Sql:
        def initial(rows: Sql) -> Sql:
            return f"SELECT {listed([*self._cells(TS), f'1L AS {WEIGHT}', self._first])} FROM ({rows})"

        return self._parts(initial, self._bag_changes)

    def _bag_changes(self, log: Sql) -> Sql:
        weight = f"IF({CHANGE} = '{INSERT}', 1L, -1L) AS {WEIGHT}"
        if self.feed.append_only:
            return f"SELECT {listed([*self._cells(AT), weight, f'{_POINT} AS {AT}'])} FROM ({log})"
        if self._scan.ts is not None:
            log = self._with_removed_ts(log)
        lines = f"SELECT {listed([*self._cells(TS), weight, f'{_POINT} AS {AT}'])} FROM ({log})"
        if self._scan.sync.is_clock:
            return lines
        # A row that came and went between two points was never there.
        ids = [c.id for c in self._scan.columns]
        return f"SELECT {listed([*ids, WEIGHT, AT])} FROM ({consolidate(lines, ids)})"

    def _with_removed_ts(self, log: Sql) -> Sql:
        """Adds ``_ts``: of an insertion its own time; of a deletion the time of the row that it takes out, which is
        the n-th insertion of that row for the n-th deletion (first in, first out)."""
        row = [quoted(c) for c in self.feed.columns]
        lines = (
            f"SELECT {listed([*row, f'{CHANGE} = {INSERT!r} AS _in', SEQ, AT, _POINT, f'{AT} AS {TS}'])} FROM ({log})"
        )
        if self._after is not None:
            # Rows of before that are equal to a row taken out in the slice.
            gone = f"SELECT DISTINCT {listed(row)} FROM ({log}) WHERE {CHANGE} = '{DELETE}'"
            old = self._relation(self._after, gone)
            cells = listed([*row, "TRUE", "CAST(NULL AS BIGINT)", "CAST(NULL AS BIGINT)", "CAST(NULL AS BIGINT)", TS])
            lines = self._context.scratch.union(lines, f"SELECT {cells} FROM ({old})")
        numbered = f"SELECT *, row_number() {over([*row, '_in'], f'{TS}, {SEQ}')} AS _nth FROM ({lines})"
        taken = f"max(CASE WHEN _in THEN {TS} END) {over([*row, '_nth'])}"
        change = f"IF(_in, '{INSERT}', '{DELETE}') AS {CHANGE}"
        cells = listed([*row, change, AT, _POINT, f"IF(_in, {TS}, {taken}) AS {TS}"])
        return f"SELECT * FROM (SELECT {cells} FROM ({numbered})) WHERE {AT} IS NOT NULL"

    # With a key

    def pairs(self) -> Sql:
        def initial(rows: Sql) -> Sql:
            row = struct(self._cells(TS))
            return f"SELECT IF(FALSE, {row}, NULL) AS {OLD}, {row} AS {NEW}, {self._first} FROM ({rows})"

        return self._parts(initial, self._changes)

    def _changes(self, log: Sql) -> Sql:
        log = f"SELECT * FROM ({log}) WHERE {NET}"
        if self._scan.ts is not None:
            log = self._with_previous_ts(log)
        key = [quoted(k) for k in self.feed.key or ()]
        old = f"CASE WHEN {BEFORE} IS NOT NULL THEN {struct(self._cells(_BEFORE_TS, f'{BEFORE}.'))} END AS {OLD}"
        new = f"CASE WHEN {CHANGE} <> '{DELETE}' THEN {struct(self._cells(AT))} END AS {NEW}"
        if self._scan.sync.is_clock:
            pairs = f"SELECT {old}, {new}, {AT} FROM ({log})"
        else:
            # Between two points only the first row of before and the last row after count.
            keyed = [f"{k} AS _k{i}" for i, k in enumerate(key)]
            order = over([*(f"_k{i}" for i in range(len(key))), _POINT], AT)
            each = f"SELECT {listed([*keyed, old, new, AT, _POINT])} FROM ({log})"
            ends = f"SELECT first({OLD}) {order} AS {OLD}, {NEW}, {_POINT}, lead(1) {order} AS _more FROM ({each})"
            pairs = f"SELECT {OLD}, {NEW}, {_POINT} AS {AT} FROM ({ends}) WHERE _more IS NULL"
        return f"SELECT * FROM ({pairs}) WHERE {OLD} IS NOT NULL OR {NEW} IS NOT NULL"

    def _with_previous_ts(self, log: Sql) -> Sql:
        """Adds ``_before_ts``, the TS of the row in ``_before``: the time of the key's operation before this one."""
        key = [quoted(k) for k in self.feed.key or ()]
        columns = [quoted(c) for c in self.feed.log_schema.names]
        lines = f"SELECT {listed([*columns, _POINT, f'{AT} AS _when'])} FROM ({log})"
        if self._after is not None:
            touched = f"SELECT DISTINCT {listed(key)} FROM ({log}) WHERE {BEFORE} IS NOT NULL" if key else None
            old = self._relation(self._after, touched)
            given = [c if c in {quoted(n) for n in self.feed.columns} else "NULL" for c in columns]
            lines = self._context.scratch.union(lines, f"SELECT {listed([*given, 'NULL', TS])} FROM ({old})")
        order = over(key, f"_when, {AT} NULLS FIRST")
        found = f"SELECT *, lag(_when) {order} AS {_BEFORE_TS} FROM ({lines})"
        return f"SELECT * FROM ({found}) WHERE {AT} IS NOT NULL"


def _clock(scan: Scan, context: Context) -> Flow:
    """A stream of time points: +<T>T for each of them, made here and never stored."""
    points, sync, span = scan.points, scan.sync.points, context.slice
    assert points is not None

    def cells(at: str) -> list[str]:
        return [*(f"{at} AS {c.id}" for c in scan.columns), f"1L AS {WEIGHT}"]

    def lines() -> Sql:
        end = context.last_point(sync, span.end)
        start = -1 if span.first is not None else context.last_point(sync, span.start)
        if end is None:
            return f"SELECT {listed([*cells(AT), AT])} FROM ({context.points_between(points, -1, -1)})"
        start = -1 if start is None else start
        ticks = f"SELECT {AT} AS _p FROM ({context.points_between(points, start, end)})"
        released = release(ticks, ["_p"], sync, (start, end), partial(context.points_between, sync), "_p", AT)
        at = AT if span.first is None else f"greatest({AT}, {span.first}L) AS {AT}"
        return f"SELECT {listed([*cells('_p'), at])} FROM ({released})"

    def before() -> Sql:
        start = -1 if span.first is not None else context.last_point(sync, span.start)
        return f"SELECT {listed(cells(AT))} FROM ({context.points_between(points, -1, -1 if start is None else start)})"

    return Flow(scan.columns, lines, None, before)
