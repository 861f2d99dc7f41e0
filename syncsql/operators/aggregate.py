"""γ: one row per group, made from accumulators that are added up over the points of the slice.

COUNT, SUM and AVG: acc(g, T) = acc(g) + Σ w·x over the lines of g with ``_at`` ≤ T, and the result is a function of
the accumulators. MIN and MAX are running extremes where rows never go away, and else the extreme of the values that
are alive (:mod:`syncsql.operators.extremes`). Floating point is added up exactly (:mod:`syncsql.operators.floats`),
so that an answer depends on the rows and never on their order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DataType, DecimalType, DoubleType, LongType

from syncsql.algebra.expressions import AggregateCall
from syncsql.algebra.patterns import Pattern, pattern_of
from syncsql.algebra.relations import Aggregate
from syncsql.errors import UnsupportedError
from syncsql.operators.context import Context, State
from syncsql.operators.extremes import Extremes, extremes
from syncsql.operators.floats import FloatSum, banded
from syncsql.operators.running import Accumulator, running
from syncsql.stream.flow import Flow, render, same
from syncsql.stream.names import AT, NEW, OLD, WEIGHT

_ROWS = "n_rows"


@dataclass(frozen=True)
class _Part:
    """One call: its accumulators, what a line contributes to each (NULL: nothing), and its value over them.

    ``value`` is Spark SQL in which ``{p}`` stands for ``old_``, ``new_`` or nothing before an accumulator's name."""

    value: str
    contributions: Mapping[Accumulator, str]
    float_sum: FloatSum | None = None

    def text(self, float_sums: Mapping[str, str]) -> str:
        return (
            self.value
            if self.float_sum is None
            else self.value.replace(self.float_sum.mark, float_sums[self.float_sum.mark])
        )


def aggregate_flow(node: Aggregate, flow: Flow, context: Context, thin: bool) -> Flow:
    groups = [g.id for g in node.groups]
    lines = flow.lines
    insert_only = pattern_of(node.input) == Pattern.MONOTONIC
    moving = [] if insert_only else [c for c in dict.fromkeys(node.calls) if c.function in ("min", "max")]
    parts = {c: _part(c, i, lines) for i, c in enumerate(dict.fromkeys(node.calls)) if c not in moving}
    contributions = {Accumulator(_ROWS): WEIGHT}
    for part in parts.values():
        contributions |= part.contributions
    cells = [f"{text} AS {a.name}" for a, text in contributions.items()]
    floats = [p.float_sum for p in parts.values() if p.float_sum is not None]
    added = lines.selectExpr(*groups, *cells, *(f"{s.argument} AS {s.name}" for s in floats), WEIGHT, AT)
    if not groups:
        added = _with_first_row(added, context)
    exact = banded(added, groups, [a.name for a in contributions], floats, context)
    changed = running(exact.lines, groups, [*contributions, *exact.accumulators], exact.state, context, thin)
    values = {call: part.text(exact.texts) for call, part in parts.items()}
    found: list[Extremes] = []
    for number, call in enumerate(moving):
        argument = lines.selectExpr(*groups, f"{_argument(call)} AS _v", WEIGHT, AT)
        extreme = extremes(argument, groups, call.function, changed.select(*groups, AT), context, thin)
        names = {"old_v": f"old_m{number}", "new_v": f"new_m{number}"}
        changed = _joined(changed, extreme.changes, [*groups, AT], names)
        values[call] = f"{{p}}m{number}"
        found.append(extreme)
    return _result(node, changed, values, context, exact.state, found)


def _argument(call: AggregateCall) -> str:
    assert call.argument is not None
    return render(call.argument)


def _part(call: AggregateCall, number: int, lines: DataFrame) -> _Part:
    count = Accumulator(f"n{number}")
    if call.argument is None:
        return _Part(f"{{p}}{_ROWS}", {})
    argument = _argument(call)
    present = f"CASE WHEN {argument} IS NOT NULL THEN {WEIGHT} END"
    if call.function == "count":
        return _Part(f"{{p}}{count.name}", {count: present})
    if call.function in ("min", "max"):
        extreme = Accumulator(f"m{number}", call.function)
        return _Part(f"{{p}}{extreme.name}", {extreme: argument})
    # Spark itself says what type the result has, and whether the argument can be added up at all.
    result = lines.agg(F.expr(f"{call.function}({argument})")).schema[0].dataType
    total = lines.agg(F.expr(f"sum({argument})")).schema[0].dataType
    if isinstance(total, DoubleType):
        sums = FloatSum(f"s{number}", f"CAST({argument} AS DOUBLE)")
        value = sums.mark if call.function == "sum" else f"{sums.mark} / {{p}}{count.name}"
        return _Part(f"CASE WHEN {{p}}{count.name} > 0 THEN {value} END", {count: present}, sums)
    added = Accumulator(f"s{number}")
    if not isinstance(total, LongType | DecimalType):
        raise UnsupportedError("UNSUPPORTED.AGGREGATE", f"{call}: the sum of {total.simpleString()} values")
    value = f"{{p}}{added.name}" if call.function == "sum" else _average(f"{{p}}{added.name}", count, result)
    contributions = {count: present, added: _times_weight(argument, total)}
    return _Part(f"CASE WHEN {{p}}{count.name} > 0 THEN {value} END", contributions)


def _times_weight(argument: str, total: DataType) -> str:
    """w·x in the type of the sum. Nearly every weight is 1 or −1, for which no digit can get lost."""
    x = f"CAST({argument} AS {total.simpleString()})"
    product = f"CAST({x} * {WEIGHT} AS {total.simpleString()})"
    return f"CASE {WEIGHT} WHEN 1 THEN {x} WHEN -1 THEN -{x} ELSE {product} END"


def _average(total: str, count: Accumulator, result: DataType) -> str:
    return f"CAST({total} / {{p}}{count.name} AS {result.simpleString()})"


def _with_first_row(added: DataFrame, context: Context) -> DataFrame:
    """Without grouping columns there is a row from the first point on, also over an empty input."""
    if context.slice.first is None:
        return added
    nothing = [F.lit(0 if c == _ROWS else None).cast(t).alias(c) for c, t in added.dtypes if c != AT]
    first = context.session.range(0, 1, 1, 1).select(*nothing, F.lit(context.slice.first).cast("bigint").alias(AT))
    return added.unionByName(first)


def _joined(frame: DataFrame, other: DataFrame, on: list[str], names: dict[str, str]) -> DataFrame:
    """``frame`` with columns of ``other``, row by row; NULL is equal to NULL."""
    renamed = other.select(*(F.col(c).alias(f"_j_{c}") for c in on), *(F.col(a).alias(b) for a, b in names.items()))
    condition = same([F.col(c) for c in on], [F.col(f"_j_{c}") for c in on])
    return frame.join(renamed, condition, "left").drop(*(f"_j_{c}" for c in on))


def _result(
    node: Aggregate,
    changed: DataFrame,
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
        return f"CASE WHEN {_exists(prefix, groups, context)} THEN struct({', '.join(cells(prefix))}) END"

    def pairs() -> DataFrame:
        both = changed.selectExpr(f"{side('old_')} AS {OLD}", f"{side('new_')} AS {NEW}", AT)
        return both.filter(f"NOT ({OLD} <=> {NEW})")

    def before() -> DataFrame:
        rows = state.current(context.session, None)
        if rows is None:
            return changed.filter("FALSE").selectExpr(*cells("new_"), f"1L AS {WEIGHT}")
        if groups:
            rows = rows.filter(f"{_ROWS} > 0")
        for number, extreme in enumerate(found):
            rows = _joined(rows, extreme.current(), groups, {"v": f"m{number}"})
        return rows.selectExpr(*cells(""), f"1L AS {WEIGHT}")

    return Flow(node.columns, None, pairs, before)


def _exists(prefix: str, groups: list[str], context: Context) -> str:
    if groups:
        return f"{prefix}{_ROWS} > 0"
    first = context.slice.first
    return "TRUE" if prefix == "new_" or first is None else f"{AT} > {first}L"
