"""Queries over the clock: streams of time points (section 3.2) and the Now view (section 3.3).

A query over ``clockStr`` is infinite and never stored. Two shapes of it have a meaning for other queries: a stream of
time points, which can synchronize, and the single row that tells the time, which turns into ``Now``.
"""

from __future__ import annotations

from fractions import Fraction

from syncsql.algebra.catalog import Catalog, Definition, SourceDef, StreamDef, TableDef, ViewDef
from syncsql.algebra.expressions import Call, Column, Expr, Literal, Now, columns_in, conjuncts, substitute
from syncsql.algebra.relations import Aggregate, Distinct, Filter, Join, Node, Project, Scan, SetOperation, scans
from syncsql.algebra.scalars import constant
from syncsql.algebra.sync import CLOCK, Events, Points, Sync, Ticks, combine, intersection
from syncsql.algebra.timeset import TimeSet, compare, congruence
from syncsql.errors import BindError, did_you_mean

_INTEGER_TYPES = ("TINYINT", "SMALLINT", "INT", "BIGINT", "INTEGER", "LONG", "SHORT", "BYTE")
_BOTH = " ∩ "
_FLIP = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def reads_clock(plan: Node) -> bool:
    return any(s.kind == "clock" for s in scans(plan))


def sync_of_view(definition: StreamDef | ViewDef) -> Sync:
    """The synchronization stream that a stream or view is; refused where it is none."""
    if isinstance(definition, ViewDef) and definition.points is not None:
        return Sync(definition.name, definition.points)
    fields = definition.fields
    if isinstance(definition, ViewDef) and not definition.stored:
        raise BindError(
            "SYNC.NOT_TIME_POINTS",
            f"`{definition.name}` does not give time points",
            hint="a synchronization stream selects Timepoint from clockStr, or TS from a stream",
        )
    if len(fields) != 1 or fields[0].type.upper() not in _INTEGER_TYPES:
        shape = ", ".join(f"{f.name} {f.type}" for f in fields)
        raise BindError(
            "SYNC.NOT_TIME_POINTS",
            f"`{definition.name}` ({shape}) cannot synchronize: a synchronization stream has one integer column",
            hint="for example SELECT TS FROM R(S) WHERE …",
        )
    return Sync(definition.name, Events(definition.name))


def sync_named(name: str | None, catalog: Catalog) -> Sync:
    """The synchronization stream of this name; ``Sync2 ∩ Sync3`` are the common points of both, as they are printed."""
    if name is None or name.lower() == "clockstr":
        return CLOCK
    found = catalog.find(name)
    if found is None and _BOTH in name:
        return intersection([sync_named(part, catalog) for part in name.split(_BOTH)])
    if found is None or isinstance(found, SourceDef | TableDef):
        what = "does not exist" if found is None else "is a source, not a stream or view"
        known = [n for n in catalog.names() if _can_synchronize(catalog.find(n))]
        raise BindError(
            "SYNC.UNKNOWN", f"the synchronization stream `{name}` {what}",
            hint=did_you_mean(name, [*known, "clockStr"]),
        )  # fmt: skip
    return sync_of_view(found)


def _can_synchronize(definition: Definition | None) -> bool:
    try:
        return isinstance(definition, StreamDef | ViewDef) and sync_of_view(definition) is not None
    except BindError:
        return False


def timed_now(expr: Expr, sync: Sync, view: str) -> Expr:
    """``expr`` of a Now view as it is read under ``sync``: R[sync](NowView) tells the last point of ``sync``."""

    def by(part: Expr) -> Expr | None:
        if not isinstance(part, Now) or sync.is_clock or sync == part.sync:
            return None
        if part.sync.is_clock or (
            isinstance(part.sync.points, Ticks)
            and isinstance(sync.points, Ticks)
            and sync.points.times.issubset(part.sync.points.times)
        ):
            return Now(sync)
        raise BindError(
            "CLOCK.SYNC",
            f"`{view}` ticks at {part.sync.name}, which is not known to contain every point of {sync.name}",
            hint=f"synchronize `{view}` by {part.sync.name} or by a coarser stream of the same period",
        )

    return substitute(expr, by)


def points_of(plan: Node) -> Points | None:
    """The points of ``plan`` where it is a stream of time points over the clock (or mixed with events), else None."""
    if isinstance(plan, Scan):
        if plan.kind == "clock":
            return plan.points if plan.sync.is_clock else None
        return Events(plan.name) if len(plan.outputs) == 1 and plan.sync.is_clock else None
    if isinstance(plan, Distinct):
        return points_of(plan.input)
    if isinstance(plan, Project) and len(plan.columns) == 1:
        inner = points_of(plan.input)
        return inner if inner is not None and isinstance(plan.expressions[0], Column) else None
    if isinstance(plan, Filter):
        inner = points_of(plan.input)
        times = time_set(plan.predicate)
        if inner is None or times is None or isinstance(inner, Events):
            return None
        return combine("intersect", inner, Ticks(times))
    if isinstance(plan, SetOperation):
        left, right = points_of(plan.left), points_of(plan.right)
        return None if left is None or right is None else combine(plan.kind, left, right)
    if isinstance(plan, Join) and plan.kind == "inner":
        left, right = points_of(plan.left), points_of(plan.right)
        sides = [{c.id for c in plan.left.columns}, {c.id for c in plan.right.columns}]
        parts = conjuncts(plan.condition)
        if left is None or right is None or len(parts) != 1 or not isinstance(parts[0], Call) or parts[0].op != "=":
            return None
        a, b = parts[0].args
        if not isinstance(a, Column) or not isinstance(b, Column) or (a.id in sides[0]) == (b.id in sides[0]):
            return None
        return combine("intersect", left, right)
    return None


def now_row_of(plan: Node) -> tuple[Expr, ...] | None:
    """For the shape of NowView, ``SELECT constants, MAX(Timepoint) FROM R(Sync)``: its row in terms of Now."""
    if not isinstance(plan, Project) or not isinstance(plan.input, Aggregate) or plan.input.groups:
        return None
    aggregate = plan.input
    points = points_of(aggregate.input)
    if points is None:
        return None
    clock = {c.id for c in aggregate.input.columns}
    for call in aggregate.calls:
        if call.function != "max" or not isinstance(call.argument, Column) or call.argument.id not in clock:
            return None
    name = scans(plan)[0].name
    now = Now(CLOCK if points == CLOCK.points else Sync(name, points))
    outputs = {c.id for c in aggregate.outputs}
    if any(columns_in(e) - outputs for e in plan.expressions):
        return None
    return tuple(substitute(e, lambda part: now if isinstance(part, Column) else None) for e in plan.expressions)


def time_set(predicate: Expr) -> TimeSet | None:
    """The ticks for which a predicate over Timepoint alone is true, or None where arithmetic cannot tell."""
    if isinstance(predicate, Literal) and predicate.type == "BOOLEAN":
        return TimeSet.all() if predicate.sql == "TRUE" else TimeSet.empty()
    if not isinstance(predicate, Call):
        return None
    if predicate.op in ("AND", "OR"):
        left, right = time_set(predicate.args[0]), time_set(predicate.args[1])
        if left is None or right is None:
            return None
        return left & right if predicate.op == "AND" else left | right
    if predicate.op == "NOT":
        inner = time_set(predicate.args[0])
        return None if inner is None else ~inner
    if predicate.op == "IN":
        union = TimeSet.empty()
        for choice in predicate.args[1:]:
            part = _comparison("=", predicate.args[0], choice)
            if part is None:
                return None
            union = union | part
        return union
    if predicate.op in _FLIP:
        return _comparison(predicate.op, predicate.args[0], predicate.args[1])
    return None


def _comparison(op: str, left: Expr, right: Expr) -> TimeSet | None:
    value = constant(right)
    if value is None:
        value, left, op = constant(left), right, _FLIP[op]
    if value is None:
        return None
    if isinstance(left, Call) and left.op in ("%", "mod"):
        period, line = constant(left.args[1]), _linear(left.args[0])
        if not isinstance(period, int) or period == 0 or line is None or not isinstance(value, int):
            return None
        return congruence(period, op, value, a=line[0], b=line[1])
    line = _linear(left)
    if line is None or line[0] == 0:
        return None
    a, b = line
    return compare(op if a > 0 else _FLIP[op], Fraction(value - b) / a)


def _linear(expr: Expr) -> tuple[int, int] | None:
    """(a, b) where ``expr`` is a·Timepoint + b with integers."""
    if isinstance(expr, Column):
        return (1, 0)
    value = constant(expr)
    if isinstance(value, int):
        return (0, value)
    if isinstance(expr, Call) and expr.op in ("+", "-"):
        left, right = _linear(expr.args[0]), _linear(expr.args[1])
        if left is None or right is None:
            return None
        sign = 1 if expr.op == "+" else -1
        return (left[0] + sign * right[0], left[1] + sign * right[1])
    if isinstance(expr, Call) and expr.op == "*":
        left, right = _linear(expr.args[0]), _linear(expr.args[1])
        if left is None or right is None or (left[0] and right[0]):
            return None
        return (left[0] * right[1] + right[0] * left[1], left[1] * right[1])
    return None
