"""A view's answer at a time by the definition alone: one ordinary SQL text over the logs of the tagged streams.

R[S(T)] is the fold of S's operations with timestamps ≤ T, in their order; ℜ_Sync(S) at T is R[S(T')], T' the last point
of Sync at or before T; a view's relation is its query over its inputs' relations, so views are inlined, each at the
point at which it is read; Now is the last point of its sync stream. Nothing of the incremental operators takes part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pyspark.sql.types import DoubleType, LongType, StructField, StructType

from syncsql.algebra.expressions import AggregateCall, Expr, Literal, Now, substitute
from syncsql.algebra.relations import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Node,
    OneRow,
    Project,
    Scan,
    SetOperation,
    Windowed,
)
from syncsql.algebra.sync import Points, events_in
from syncsql.dataflow.points import PointReader
from syncsql.dataflow.registry import Registry, Stream, View
from syncsql.storage.scratch import Scratch
from syncsql.stream.flow import render
from syncsql.stream.names import AT, CHANGE, DELETE, INSERT, SEQ, TS
from syncsql.stream.text import Sql, listed, over, quoted

FirstPoint = Callable[[View, int], int | None]


class Batch:
    """Answers over the streams of one database. Each relation is one common table expression per time.

    ``as_stored`` says what had to be taken as it is stored, because history alone tells it: the TS of the rows of a
    view, the points of its insertions, a stream of which not all history is kept. ``adds_doubles`` says that doubles
    are added up on the way."""

    def __init__(self, registry: Registry, scratch: Scratch, first_point: FirstPoint) -> None:
        self._registry, self._scratch, self._first_point = registry, scratch, first_point
        self._points = PointReader(scratch, registry.feeds)
        self._names: dict[tuple[str, int], str] = {}
        self._texts: dict[str, Sql] = {}
        self.as_stored: dict[str, None] = {}
        self.adds_doubles = False

    def answer(self, view: View, at: int) -> Sql:
        """The columns of the view's stored relation, visible and hidden, by their stored names."""
        return self._with(f"SELECT * FROM {self._view(view, at)}")

    def _with(self, text: Sql) -> Sql:
        tables = listed(f"{name} AS ({body})" for name, body in self._texts.items())
        return f"WITH {tables} {text}" if tables else text

    def _table(self, name: str, at: int, make: Callable[[], Sql]) -> str:
        key = (name.lower(), at)
        if key not in self._names:
            text = make()  # Whatever this one reads comes before it.
            self._names[key] = f"_t{len(self._names)}"
            self._texts[self._names[key]] = text
        return self._names[key]

    def _view(self, view: View, at: int) -> str:
        return self._table(view.name, at, lambda: self._query(view, at))

    def _query(self, view: View, at: int) -> Sql:
        continuous = view.continuous
        assert view.feed is not None
        if self._first_point(view, at) is None:
            return self._scratch.empty(view.feed.row)
        cells = (f"{c.id} AS {quoted(n)}" for c, n in zip(continuous.columns, continuous.names, strict=True))
        return f"SELECT {listed(cells)} FROM ({self._plan(continuous.plan, at)})"

    # Streams

    def _stream(self, stream: Stream, at: int) -> str:
        return self._table(stream.name, at, lambda: self._fold(stream, at))

    def _fold(self, stream: Stream, at: int) -> Sql:
        """Of a key the row of its last operation, unless that is a deletion; in a bag the n-th deletion of a row takes
        out its n-th insertion."""
        stored = stream.stored
        row = [quoted(c) for c in stored.columns]
        if stored.dropped is not None:
            self.as_stored[f"`{stream.name}` is read as it is stored: what it is made from is not kept"] = None
            return stored.at(self._scratch, at)
        log = self._scratch.read(stored.log, None, at)
        cells = listed([*row, f"{AT} AS {TS}"])
        if stored.key is not None:
            last = f"row_number() {over([quoted(k) for k in stored.key], f'{AT} DESC, {SEQ} DESC')} AS _n"
            return f"SELECT {cells} FROM (SELECT *, {last} FROM ({log})) WHERE _n = 1 AND {CHANGE} <> '{DELETE}'"
        gone = f"count_if({CHANGE} = '{DELETE}') {over(row)} AS _gone"
        nth = f"row_number() {over([*row, CHANGE], f'{AT}, {SEQ}')} AS _n"
        return f"SELECT {cells} FROM (SELECT *, {gone}, {nth} FROM ({log})) WHERE {CHANGE} = '{INSERT}' AND _n > _gone"

    # Operators

    def _plan(self, node: Node, at: int) -> Sql:
        if isinstance(node, Scan):
            return self._scan(node, at)
        if isinstance(node, OneRow):
            return "SELECT TRUE AS _one"
        inputs = [f"({self._plan(i, at)})" for i in node.inputs]
        if isinstance(node, Filter):
            return f"SELECT * FROM {inputs[0]} WHERE {self._text(node.predicate, at)}"
        if isinstance(node, Project):
            cells = (f"{self._text(e, at)} AS {c.id}" for c, e in zip(node.columns, node.expressions, strict=True))
            return f"SELECT {_cells(cells)} FROM {inputs[0]}"
        if isinstance(node, Join):
            condition = self._text(node.condition, at)
            return f"SELECT * FROM {inputs[0]} {node.kind.upper()} JOIN {inputs[1]} ON {condition}"
        if isinstance(node, Aggregate):
            return self._aggregate(node, inputs[0], at)
        if isinstance(node, Distinct):
            return f"SELECT DISTINCT {_cells(c.id for c in node.columns)} FROM {inputs[0]}"
        if isinstance(node, Windowed):
            cells = (f"{self._text(e, at)} AS {c.id}" for c, e in zip(node.outputs, node.expressions, strict=True))
            return f"SELECT *, {listed(cells)} FROM {inputs[0]}"
        assert isinstance(node, SetOperation)
        left = listed(f"{s.id} AS {c.id}" for c, s in zip(node.columns, node.left.columns, strict=True))
        right = listed(c.id for c in node.right.columns)
        word = f"{node.kind.upper()}{' ALL' if node.all else ''}"
        return f"(SELECT {left} FROM {inputs[0]}) {word} (SELECT {right} FROM {inputs[1]})"

    def _scan(self, scan: Scan, at: int) -> Sql:
        point = self._last(scan.sync.points, at)
        if scan.points is not None:
            ticks = self._points.between(scan.points, -1, -1 if point is None else point)
            self._say_points(scan.points)
            return f"SELECT {_cells(f'{AT} AS {c.id}' for c in scan.columns)} FROM ({ticks})"
        entry = self._registry.get(scan.name)
        assert isinstance(entry, Stream | View)
        assert entry.feed is not None
        cells = [f"{quoted(entry.feed.column(c.name))} AS {c.id}" for c in scan.outputs]
        if scan.ts is not None:
            cells.append(f"{TS} AS {scan.ts.id}")
        if point is None:
            return f"SELECT {_cells(cells)} FROM ({self._scratch.empty(_with_ts(entry.feed.row))})"
        if isinstance(entry, Stream):
            return f"SELECT {_cells(cells)} FROM {self._stream(entry, point)}"
        if scan.ts is None:
            return f"SELECT {_cells(cells)} FROM {self._view(entry, point)}"
        self.as_stored[f"`{entry.name}` is read as it is stored, for the TS of its rows"] = None
        return f"SELECT {_cells(cells)} FROM ({entry.feed.at(self._scratch, point)})"

    def _last(self, points: Points, at: int) -> int | None:
        self._say_points(points)
        return self._points.last(points, at)

    def _say_points(self, points: Points) -> None:
        for name in events_in(points):
            if isinstance(self._registry.get(name), View):
                self.as_stored[f"the insertions of `{name}` are time points, read as they are stored"] = None

    def _text(self, expr: Expr, at: int) -> str:
        """Before the first point of its sync stream Now is unknown, and nothing compares with it."""

        def timed(part: Expr) -> Expr | None:
            if not isinstance(part, Now):
                return None
            point = self._last(part.sync.points, at)
            return Literal("CAST(NULL AS BIGINT)" if point is None else f"{point}L", "BIGINT")

        return render(substitute(expr, timed))

    def _aggregate(self, node: Aggregate, rows: Sql, at: int) -> Sql:
        groups = [g.id for g in node.groups]
        calls = (f"{self._call(a, rows, at)} AS {c.id}" for c, a in zip(node.outputs, node.calls, strict=True))
        by = f" GROUP BY {listed(groups)}" if groups else ""
        return f"SELECT {_cells([*groups, *calls])} FROM {rows}{by}"

    def _call(self, call: AggregateCall, rows: Sql, at: int) -> str:
        if call.argument is None:
            return f"{call.function}(*)"
        argument = ("DISTINCT " if call.distinct else "") + self._text(call.argument, at)
        if call.function not in ("sum", "avg") or call.distinct:
            return f"{call.function}({argument})"
        probe = self._with(f"SELECT sum({argument}) AS s, avg({argument}) AS a FROM {rows}")
        total, average = (f.dataType for f in self._scratch.sql(probe).schema.fields)
        if isinstance(total, DoubleType):
            self.adds_doubles = True
            return compensated(argument) + (f" / count({argument})" if call.function == "avg" else "")
        if call.function == "avg" and isinstance(total, LongType) and isinstance(average, DoubleType):
            # Spark adds integers up as doubles here, which is exact as long as the sum is below 2^53.
            return f"CAST(sum(CAST({argument} AS DECIMAL(38, 0))) AS DOUBLE) / count({argument})"
        return f"{call.function}({argument})"


def compensated(argument: str) -> str:
    """The sum of doubles after Neumaier: what each addition rounds off is added up beside the sum. What SUM gives
    depends on the order in which Spark happens to add; this depends on it in the last places at most."""
    big, small = "IF(abs(a.s) >= abs(x), a.s, x)", "IF(abs(a.s) >= abs(x), x, a.s)"
    step = f"named_struct('s', a.s + x, 'c', a.c + ({big} - (a.s + x) + {small}))"
    values = f"transform(collect_list({argument}), x -> CAST(x AS DOUBLE))"
    total = f"aggregate({values}, named_struct('s', 0D, 'c', 0D), (a, x) -> {step}, a -> a.s + a.c)"
    # NaN and the infinities say themselves, and NULL is the sum of nothing.
    return f"CASE WHEN abs(sum({argument})) < DOUBLE('Infinity') THEN {total} ELSE sum({argument}) END"


def _cells(cells: Iterable[str]) -> str:
    """A relation of which no column is read still has rows."""
    return listed(cells) or "TRUE AS _one"


def _with_ts(row: StructType) -> StructType:
    return StructType([*row.fields, StructField(TS, LongType())])
