"""γ: one row per group, made from accumulators that are added up over the points of the slice.

COUNT, SUM and AVG: acc(g, T) = acc(g) + Σ w·x over the lines of g with ``_at`` ≤ T, and the result is a function of
the accumulators. MIN and MAX are running extremes where rows never go away, and else the extreme of the values that
are alive (:mod:`syncsql.operators.extremes`). Adding up is exact (:mod:`syncsql.operators.exact`; of floating point,
:mod:`syncsql.operators.floats`), so that an answer depends on the rows and never on their order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql.types import DecimalType, DoubleType, LongType

from syncsql.algebra.expressions import AggregateCall, columns_in
from syncsql.algebra.patterns import Pattern, pattern_of
from syncsql.algebra.relations import Aggregate
from syncsql.errors import UnsupportedError
from syncsql.operators.context import Context, State, settled
from syncsql.operators.exact import exact_sum
from syncsql.operators.extremes import Extremes, extremes
from syncsql.operators.floats import FloatSum, banded
from syncsql.operators.running import Accumulator, Pass, running
from syncsql.stream.flow import Flow, lines_of_pairs, render
from syncsql.stream.names import AT, NEW, OLD, WEIGHT
from syncsql.stream.text import Sql, listed, same, struct
from syncsql.stream.type_text import type_text

_ROWS = Accumulator("n_rows")


@dataclass(frozen=True)
class _Part:
    """One call: its accumulators, what a line contributes to each (NULL: nothing), and its value over them.

    ``value`` is Spark SQL in which ``{p}`` stands for ``old_``, ``new_`` or nothing before an accumulator's name."""

    value: str
    contributions: Mapping[Accumulator, str]
    float_sum: FloatSum | None = None

    def text(self, float_sums: Mapping[str, str]) -> str:
        mark = self.float_sum.mark if self.float_sum is not None else None
        return self.value if mark is None else self.value.replace(mark, float_sums[mark])


def aggregate_flow(node: Aggregate, flow: Flow, context: Context, thin: bool) -> Flow:
    groups = [g.id for g in node.groups]
    calls = list(dict.fromkeys(node.calls))
    lines = settled(flow, context) if flow.costly else _needed(groups, calls, flow)
    insert_only = pattern_of(node.input) == Pattern.MONOTONIC
    moving = [] if insert_only else [c for c in calls if c.function in ("min", "max")]
    parts = {c: _part(c, i, lines, context) for i, c in enumerate(calls) if c not in moving}
    contributions = {_ROWS: WEIGHT}
    for part in parts.values():
        contributions |= part.contributions
    cells = [f"{text} AS {a.name}" for a, text in contributions.items()]
    floats = [p.float_sum for p in parts.values() if p.float_sum is not None]
    sums = [f"{s.argument} AS {s.name}" for s in floats]
    added = f"SELECT {listed([*groups, *cells, *sums, WEIGHT, AT])} FROM ({lines})"
    if not groups:
        added = _with_first_row(added, list(contributions), floats, context)
    exact = banded(added, groups, list(contributions), floats, context)
    added_up = running(exact.lines, groups, [*contributions, *exact.accumulators], exact.state, context, thin)
    values = {call: part.text(exact.texts) for call, part in parts.items()}
    if not moving:
        return _result(node, added_up, None, values, context, exact.state, [])
    found: list[Extremes] = []
    changed = added_up.kept
    points = f"SELECT {listed([*groups, AT])} FROM ({changed})"
    for number, call in enumerate(moving):
        argument = f"SELECT {listed([*groups, f'{_argument(call)} AS _v', WEIGHT, AT])} FROM ({lines})"
        extreme = extremes(argument, groups, call.function, points, context, thin)
        names = {"old_v": f"old_m{number}", "new_v": f"new_m{number}"}
        changed = _joined(changed, extreme.changes, [*groups, AT], names)
        values[call] = f"{{p}}m{number}"
        found.append(extreme)
    return _result(node, added_up, changed, values, context, exact.state, found)


def _needed(groups: list[str], calls: list[AggregateCall], flow: Flow) -> Sql:
    """The lines with the columns that are read: where only others changed, nothing comes and goes."""
    if not flow.has_pairs:
        return flow.lines
    read = set(groups).union(*(columns_in(call.argument) for call in calls))
    return lines_of_pairs(flow.pairs, [c for c in flow.ids if c in read])


def _argument(call: AggregateCall) -> str:
    assert call.argument is not None
    return render(call.argument)


def _part(call: AggregateCall, number: int, lines: Sql, context: Context) -> _Part:
    count = Accumulator(f"n{number}")
    if call.argument is None:
        return _Part(f"{{p}}{_ROWS.name}", {})
    argument = _argument(call)
    present = f"CASE WHEN {argument} IS NOT NULL THEN {WEIGHT} END"
    if call.function == "count":
        return _Part(f"{{p}}{count.name}", {count: present})
    if call.function in ("min", "max"):
        extreme = Accumulator(f"m{number}", call.function, type_text(context.type_of(argument, lines)))
        return _Part(f"{{p}}{extreme.name}", {extreme: argument})
    # Spark itself says what types there are, and whether the argument can be added up at all.
    types = {
        "argument": context.type_of(argument, lines),
        "sum": context.type_of(f"sum({argument})", lines),
        "average": context.type_of(f"avg({argument})", lines),
    }
    total = types["sum"]
    if isinstance(total, DoubleType):
        sums = FloatSum(f"s{number}", f"CAST({argument} AS DOUBLE)")
        value = sums.mark if call.function == "sum" else f"{sums.mark} / {{p}}{count.name}"
        return _Part(f"CASE WHEN {{p}}{count.name} > 0 THEN {value} END", {count: present}, sums)
    if not isinstance(total, LongType | DecimalType):
        raise UnsupportedError("UNSUPPORTED.AGGREGATE", f"{call}: the sum of {total.simpleString()} values")
    exact = exact_sum(argument, number, count, types)
    value = exact.total if call.function == "sum" else exact.average
    return _Part(f"CASE WHEN {{p}}{count.name} > 0 THEN {value} END", {count: present, **exact.contributions})


def _with_first_row(added: Sql, contributions: list[Accumulator], sums: list[FloatSum], context: Context) -> Sql:
    """Without grouping columns there is a row from the first point on, also over an empty input."""
    if context.slice.first is None:
        return added
    nothing = [f"CAST({0 if a == _ROWS else 'NULL'} AS {a.type}) AS {a.name}" for a in contributions]
    cells = [*nothing, *(f"CAST(NULL AS DOUBLE) AS {s.name}" for s in sums), f"0L AS {WEIGHT}"]
    return context.scratch.union(added, f"SELECT {listed(cells)}, {context.slice.first}L AS {AT}")


def _joined(rows: Sql, other: Sql, on: list[str], names: dict[str, str]) -> Sql:
    """``rows`` with columns of ``other``, row by row; NULL is equal to NULL."""
    cells = listed(f"o.{a} AS {b}" for a, b in names.items())
    match = same([f"r.{c}" for c in on], [f"o.{c}" for c in on])
    return f"SELECT r.*, {cells} FROM ({rows}) r LEFT JOIN ({other}) o ON {match}"


def _result(
    node: Aggregate,
    added_up: Pass,
    with_extremes: Sql | None,
    values: dict[AggregateCall, str],
    context: Context,
    state: State,
    found: list[Extremes],
) -> Flow:
    groups = [g.id for g in node.groups]

    def cells(prefix: str) -> list[str]:
        outputs = zip(node.outputs, node.calls, strict=True)
        return [*groups, *(f"{values[call].format(p=prefix)} AS {c.id}" for c, call in outputs)]

    def side(prefix: str) -> str:
        return f"CASE WHEN {_exists(prefix, groups, context)} THEN {struct(cells(prefix))} END"

    def changed() -> Sql:
        return added_up.rows if with_extremes is None else with_extremes

    def pairs() -> Sql:
        both = f"SELECT {side('old_')} AS {OLD}, {side('new_')} AS {NEW}, {AT} FROM ({changed()})"
        return f"SELECT * FROM ({both}) WHERE NOT ({OLD} <=> {NEW})"

    def before() -> Sql:
        rows = state.current()
        if rows is None:
            return f"SELECT {listed([*cells('new_'), f'1L AS {WEIGHT}'])} FROM ({changed()}) WHERE FALSE"
        if groups:
            rows = f"SELECT * FROM ({rows}) WHERE {_ROWS.name} > 0"
        for number, extreme in enumerate(found):
            rows = _joined(rows, extreme.current(), groups, {"v": f"m{number}"})
        return f"SELECT {listed([*cells(''), f'1L AS {WEIGHT}'])} FROM ({rows})"

    carrying = added_up.carrying(side("old_"), side("new_")) if with_extremes is None else None
    return Flow(node.columns, None, pairs, before, bool(found), carrying)


def _exists(prefix: str, groups: list[str], context: Context) -> str:
    if groups:
        return f"{prefix}{_ROWS.name} > 0"
    first = context.slice.first
    return "TRUE" if prefix == "new_" or first is None else f"{AT} > {first}"
