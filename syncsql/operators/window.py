"""σ with Now: windows on time. Each row has the point at which it enters and the point at which it leaves.

A line (r, w, at) is visible from max(at, enter) until leave, so it turns into w at max(at, enter) and −w at
max(at, leave): linear, nothing is joined with the ticking time, and no tick is enumerated. What lies after the slice
is kept with its point and found again by it.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from syncsql.algebra.expressions import Call, Expr, Literal, Now, conjunction, conjuncts, has_now, infix, show, walk
from syncsql.algebra.relations import Filter
from syncsql.algebra.sync import Sync, Ticks
from syncsql.errors import UnsupportedError
from syncsql.operators.context import Context, Pending
from syncsql.stream.flow import Flow, render
from syncsql.stream.names import AT, WEIGHT

_FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
_INTEGERS = ("TINYINT", "SMALLINT", "INT", "BIGINT")


@dataclass(frozen=True)
class TimeWindow:
    """Now ≥ each of ``enters`` and Now < each of ``leaves``, in whole ticks, as ``sync`` tells the time; and
    ``plain``, the conditions without Now."""

    sync: Sync
    enters: tuple[Expr, ...]
    leaves: tuple[Expr, ...]
    plain: Expr


def split(node: Filter) -> list[TimeWindow]:
    """The windows of a predicate, one for each sync stream that it reads the time by."""
    parts = conjuncts(node.predicate)
    plain = conjunction([p for p in parts if not has_now(p)])
    bounds: dict[Sync, tuple[list[Expr], list[Expr]]] = {}
    for part in parts:
        if has_now(part):
            sync, op, bound = _isolate(part)
            enters, leaves = bounds.setdefault(sync, ([], []))
            if op in (">=", ">", "="):
                enters.append(_whole(bound, op == ">"))
            if op in ("<=", "<", "="):
                leaves.append(_whole(bound, op in ("<=", "=")))
    windows = [TimeWindow(s, tuple(e), tuple(v), plain) for s, (e, v) in bounds.items()]
    for window in windows:
        if not isinstance(window.sync.points, Ticks) or window.sync.points.times.release_sql("x") is None:
            raise UnsupportedError(
                "UNSUPPORTED.NOW", f"a window on Now is not supported under the event-based {window.sync.name}",
                hint="synchronize by a stream over clockStr", about=Now(window.sync),
            )  # fmt: skip
    return windows


def _isolate(part: Expr) -> tuple[Sync, str, Expr]:
    """``part`` in the form: Now op bound, with a bound that does not read the time."""
    nows = [e for e in walk(part) if isinstance(e, Now)]
    if isinstance(part, Call) and part.op in _FLIP and len(nows) == 1:
        left, right, op = part.args[0], part.args[1], part.op
        if has_now(right):
            left, right, op = right, left, _FLIP[op]
        while not isinstance(left, Now):
            if not isinstance(left, Call) or left.op not in ("+", "-"):
                break
            a, b = left.args
            plus = left.op == "+"
            if has_now(a):
                left, right = a, infix("-" if plus else "+", right, b, _wide(right, b))
            elif plus:
                left, right = b, infix("-", right, a, _wide(right, a))
            else:
                # a − Now op right  is  Now flipped-op a − right
                left, right, op = b, infix("-", a, right, _wide(a, right)), _FLIP[op]
        if isinstance(left, Now):
            return left.sync, op, right
    raise UnsupportedError(
        "UNSUPPORTED.NOW", f"Now cannot be used in this way: {show(part)}",
        hint="compare it, plus or minus an amount, with <, <=, >, >= or =, in conditions joined by AND", about=part,
    )  # fmt: skip


def _wide(a: Expr, b: Expr) -> str | None:
    return "BIGINT" if a.type in _INTEGERS and b.type in _INTEGERS else None


def _whole(bound: Expr, after: bool) -> Expr:
    """The first whole tick at (or, with ``after``, after) ``bound``."""
    if bound.type in _INTEGERS:
        wide = Call("CAST AS BIGINT", ("CAST(", " AS BIGINT)"), (bound,), "BIGINT")
        return infix("+", wide, Literal("1L", "BIGINT"), "BIGINT") if after else wide
    pieces = ("CAST(floor(", ") AS BIGINT) + 1L") if after else ("CAST(ceil(", ") AS BIGINT)")
    return Call("TICK", pieces, (bound,), "BIGINT")


def window_flow(window: TimeWindow, flow: Flow, pending: Pending, context: Context) -> Flow:
    assert isinstance(window.sync.points, Ticks)
    times = window.sync.points.times
    end = context.slice.end

    def timed(rows: DataFrame) -> DataFrame:
        """The rows that ever satisfy the predicate, with ``_enter`` and ``_leave`` (NULL: never)."""
        bounds = [render(b) for b in (*window.enters, *window.leaves)]
        known = " AND ".join([render(window.plain), *(f"({b}) IS NOT NULL" for b in bounds)])
        rows = rows.filter(known)
        rows = rows.withColumn("_enter", F.greatest(F.lit(0).cast("bigint"), F.lit(0).cast("bigint"),
                                                    *(F.expr(render(e)) for e in window.enters)))  # fmt: skip
        leaves = [F.expr(render(e)) for e in window.leaves]
        last = F.lit(None).cast("bigint") if not leaves else leaves[0] if len(leaves) == 1 else F.least(*leaves)
        rows = rows.withColumn("_leave", last)
        rows = rows.withColumn("_enter", F.expr(str(times.release_sql("`_enter`"))))
        rows = rows.withColumn("_leave", F.expr(str(times.release_sql("`_leave`"))))
        return rows.filter("_enter IS NOT NULL AND (_leave IS NULL OR _enter < _leave)")

    def lines() -> DataFrame:
        rows = timed(flow.lines).filter(f"_leave IS NULL OR _leave > {AT}")
        comes = F.struct(F.greatest(F.col(AT), F.col("_enter")).alias("at"), F.col(WEIGHT).alias("w"))
        goes = F.when(F.col("_leave").isNotNull(), F.struct(F.col("_leave").alias("at"), (-F.col(WEIGHT)).alias("w")))
        both = rows.select(*flow.ids, F.explode(F.array(comes, goes)).alias("_l")).filter("_l IS NOT NULL")
        both = both.select(*flow.ids, F.col("_l.w").alias(WEIGHT), F.col("_l.at").alias(AT))
        pending.keep(both.filter(f"{AT} > {end}L"))
        now = both.filter(f"{AT} <= {end}L")
        due = pending.due(context.session)
        return now if due is None else now.unionByName(due.select(*flow.ids, WEIGHT, AT))

    def before() -> DataFrame:
        start = context.slice.start
        visible = timed(flow.before).filter(f"_enter <= {start}L AND (_leave IS NULL OR _leave > {start}L)")
        return visible.select(*flow.ids, WEIGHT)

    return Flow(flow.columns, lines, None, before)
