"""σ with Now: windows on time. Each row has the point at which it enters and the point at which it leaves.

A line (r, w, at) is visible from max(at, enter) until leave, so it turns into w at max(at, enter) and −w at
max(at, leave): linear, nothing is joined with the ticking time, and no tick is enumerated. What lies after the slice
is kept with its point and found again by it.
"""

from __future__ import annotations

from dataclasses import dataclass

from syncsql.algebra.expressions import Call, Expr, Now, conjunction, conjuncts, has_now, infix, show, walk
from syncsql.algebra.relations import Filter
from syncsql.algebra.sync import Sync, Ticks
from syncsql.errors import UnsupportedError
from syncsql.operators.context import Context
from syncsql.stream.flow import Flow, render
from syncsql.stream.names import AT, WEIGHT
from syncsql.stream.text import Sql, listed

_FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
# A time that never comes. The sum of two of them still fits into a BIGINT.
_FAR = f"{2**62 - 1}L"
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
                left, right = a, _moved("-" if plus else "+", right, b)
            elif plus:
                left, right = b, _moved("-", right, a)
            else:
                # a − Now op right  is  Now flipped-op a − right
                left, right, op = b, _moved("-", a, right), _FLIP[op]
        if isinstance(left, Now):
            return left.sync, op, right
    raise UnsupportedError(
        "UNSUPPORTED.NOW", f"Now cannot be used in this way: {show(part)}",
        hint="compare it, plus or minus an amount, with <, <=, >, >= or =, in conditions joined by AND", about=part,
    )  # fmt: skip


def _moved(op: str, a: Expr, b: Expr) -> Expr:
    """a ± b, which the user has not written: of integers it must not overflow."""
    if a.type in _INTEGERS and b.type in _INTEGERS:
        return infix(op, _within(a, "CAST(", " AS BIGINT)"), _within(b, "CAST(", " AS BIGINT)"), "BIGINT")
    return infix(op, a, b)


def _whole(bound: Expr, after: bool) -> Expr:
    """The first whole tick at (or, with ``after``, after) ``bound``."""
    if bound.type in _INTEGERS:
        return _within(bound, "CAST(", " AS BIGINT) + 1L" if after else " AS BIGINT)")
    return _within(bound, "CAST(floor(" if after else "CAST(ceil(", ") AS BIGINT) + 1L" if after else ") AS BIGINT)")


def _within(value: Expr, before: str, behind: str) -> Expr:
    """``value`` between two texts, as BIGINT; what lies beyond all time, as NaN does, is as far as can be."""
    pieces = (
        "CASE WHEN (",
        f") >= {_FAR} THEN {_FAR} WHEN (",
        f") <= -{_FAR} THEN -{_FAR} ELSE {before}",
        f"{behind} END",
    )
    return Call("TICK", pieces, (value, value, value), "BIGINT")


def window_flow(window: TimeWindow, flow: Flow, context: Context) -> Flow:
    assert isinstance(window.sync.points, Ticks)
    times = window.sync.points.times
    lines_ = [*flow.ids, WEIGHT]
    pending = context.pending(lines_, flow.lines)

    def timed(rows: Sql) -> Sql:
        """The rows that ever satisfy the predicate, with ``_enter`` and ``_leave`` (NULL: never)."""
        enters, leaves = [render(b) for b in window.enters], [render(b) for b in window.leaves]
        known = " AND ".join([render(window.plain), *(f"({b}) IS NOT NULL" for b in (*enters, *leaves))])
        enter = f"greatest({listed(['0L', *enters])})" if enters else "0L"
        leave = f"least({listed(leaves)})" if len(leaves) > 1 else leaves[0] if leaves else "CAST(NULL AS BIGINT)"
        ever = f"CASE WHEN {leave} < {_FAR} THEN {leave} END"
        bounds = f"SELECT *, {enter} AS _e, {ever} AS _v FROM ({rows}) WHERE {known}"
        points = f"{times.release_sql('`_e`')} AS _enter, {times.release_sql('`_v`')} AS _leave"
        timely = f"SELECT *, {points} FROM ({bounds}) WHERE _e < {_FAR}"
        return f"SELECT * FROM ({timely}) WHERE _enter < coalesce(_leave, _enter + 1)"

    def lines() -> Sql:
        comes = f"struct(greatest({AT}, _enter) AS at, {WEIGHT} AS w)"
        goes = f"CASE WHEN _leave IS NOT NULL THEN struct(_leave AS at, -{WEIGHT} AS w) END"
        seen = f"SELECT * FROM ({timed(flow.lines)}) WHERE _leave IS NULL OR _leave > {AT}"
        both = f"SELECT {listed([*flow.ids, f'explode(array({comes}, {goes})) AS _l'])} FROM ({seen})"
        cells = listed([*flow.ids, f"_l.w AS {WEIGHT}", f"_l.at AS {AT}"])
        all_lines = context.scratch.once(f"SELECT {cells} FROM ({both}) WHERE _l IS NOT NULL").text
        end = context.slice.end
        pending.keep(f"SELECT * FROM ({all_lines}) WHERE {AT} > {end}")
        now = f"SELECT {listed([*lines_, AT])} FROM ({all_lines}) WHERE {AT} <= {end}"
        due = pending.due()
        return now if due is None else context.scratch.union(now, f"SELECT {listed([*lines_, AT])} FROM ({due})")

    def before() -> Sql:
        start = context.slice.start
        visible = f"_enter <= {start} AND (_leave IS NULL OR _leave > {start})"
        return f"SELECT {listed(lines_)} FROM ({timed(flow.before)}) WHERE {visible}"

    return Flow(flow.columns, lines, None, before)
