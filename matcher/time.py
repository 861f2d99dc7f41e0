"""Time containment: is the view up to date whenever the query is due, ``Q.sync ⊆ V.sync`` (Theorem 1, Proposition 3)?

A synchronization stream is a set expression over sets of ticks, which are arithmetic, and over event-based streams,
each of which is an atom "t is a point of it". What is known between two atoms is data containment: the insertions of
``SELECT TS FROM R(S) WHERE p`` are among those of ``… WHERE q`` where p ⇒ q and S only grows.
"""

from __future__ import annotations

from collections.abc import Callable

import z3

from matcher.evidence import TimePoint
from matcher.prover import PROVED, Answer, Effort, Refuted, Unproved
from syncsql.algebra.sync import Events, Points, Sync, Ticks, events_in
from syncsql.algebra.timeset import TimeSet, gcd_cover
from syncsql.algebra.timeset_pieces import Piece

# A set with more runs than this is decided by its own exact arithmetic instead of by Z3.
_MOST_RUNS = 64

Contained = Callable[[str, str], bool]


def time_contained(one: Sync, other: Sync, effort: Effort, insertions: Contained) -> Answer:
    """Whether every point of ``one`` is a point of ``other``; ``insertions`` says so of two event-based streams."""
    if one == other or other.is_clock:
        return PROVED
    if effort.exhausted:
        return Unproved("no budget for proofs")
    if isinstance(one.points, Ticks) and isinstance(other.points, Ticks):
        mine, theirs = one.points.times, other.points.times
        if _runs(mine) + _runs(theirs) > _MOST_RUNS:
            return PROVED if mine.issubset(theirs) else Refuted({"t": _first(mine, theirs)})
    t = z3.Int("t")
    solver = z3.SimpleSolver()
    streams = sorted({*events_in(one.points), *events_in(other.points)})
    for a in streams:
        for b in streams:
            if a != b and insertions(a, b):
                solver.add(z3.Implies(_atom(a), _atom(b)))
    solver.add(t >= 0, _member(one.points, t), z3.Not(_member(other.points, t)))
    result = effort.check(solver)
    if result == z3.unsat:
        return PROVED
    if isinstance(one.points, Ticks) and isinstance(other.points, Ticks):
        # The arithmetic of tick sets is exact: it settles what Z3 had no time for, and names the first point.
        mine, theirs = one.points.times, other.points.times
        return PROVED if mine.issubset(theirs) else Refuted({"t": _first(mine, theirs)})
    return Refuted() if result == z3.sat else Unproved(f"no proof within {effort.each} ms")


def _runs(times: TimeSet) -> int:
    return sum(len(p.pattern.starts) for p in times.pieces)


def _first(one: TimeSet, other: TimeSet) -> int:
    return next(iter((one - other).points()))


def _atom(stream: str) -> z3.BoolRef:
    return z3.Bool(f"point of {stream.lower()}")


def _member(points: Points, t: z3.ArithRef) -> z3.BoolRef:
    if isinstance(points, Events):
        return _atom(points.stream)
    if isinstance(points, Ticks):
        return z3.Or([_piece(p, t) for p in points.times.pieces])
    left, right = _member(points.left, t), _member(points.right, t)
    if points.op == "union":
        return z3.Or(left, right)
    return z3.And(left, right if points.op == "intersect" else z3.Not(right))


def _piece(piece: Piece, t: z3.ArithRef) -> z3.BoolRef:
    bounds = [t >= piece.lo] + ([] if piece.hi is None else [t <= piece.hi])
    pattern = piece.pattern
    if pattern.is_full:
        return z3.And(bounds)
    rest = t % pattern.period
    runs = [
        rest == start if start == end else z3.And(rest >= start, rest <= end)
        for start, end in zip(pattern.starts, pattern.ends, strict=True)
    ]
    return z3.And(*bounds, z3.Or(runs))


def witness(one: Sync, other: Sync) -> TimePoint | None:
    """A point of ``one`` that ``other`` does not have, where both are sets of ticks; checked by looking it up."""
    if not isinstance(one.points, Ticks) or not isinstance(other.points, Ticks):
        return None
    mine, theirs = one.points.times, other.points.times
    point = _first(mine, theirs)
    assert point in mine
    assert point not in theirs
    return TimePoint(point, theirs.last_at_or_before(point), theirs.first_at_or_after(point))


def cover_hint(one: Sync, other: Sync) -> str | None:
    """The coarsest regular refresh of the view that would do for both (the end of section 5.2)."""
    if not isinstance(one.points, Ticks) or not isinstance(other.points, Ticks):
        return None
    cover = gcd_cover([one.points.times, other.points.times])
    if cover.is_all:
        return "refresh the view at every tick"
    period = cover.pieces[0].period if cover.pieces else 1
    every = {2: "every 2nd", 3: "every 3rd"}.get(period, f"every {period}th")
    return f"refresh the view at least at {every} tick ({cover.describe()})"
