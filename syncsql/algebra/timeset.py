"""``TimeSet``: the time points of a sync stream over ``clockStr``, kept symbolic.

What a predicate over ``clockStr.Timepoint`` made of comparisons, ``mod``, AND, OR and NOT defines (section 3.2 of the
paper), and unions, intersections and differences of such, is a set of ticks ``0 ≤ t ≤ MAX_TICK`` that on each of a few
ranges repeats. So it is a tuple of pieces ``(lo, hi, pattern)``, disjoint and ascending::

    Timepoint < 10 OR Timepoint mod 4 = 1    ↦    (0, 9, every tick), (13, ∞, mod 4 = 1)

``lo`` and a finite ``hi`` are points of the set, patterns have their smallest period, and neighbours that one pattern
describes are one piece. That makes the form unique for almost every set; ``==`` is exact for all of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from math import gcd

from syncsql.algebra import timeset_sql
from syncsql.algebra.timeset_congruence import MIRRORED, Number, exact, satisfying, solutions
from syncsql.algebra.timeset_pattern import FULL, MAX_PERIOD, MAX_TICK, Pattern, disjoint, meet, same_on
from syncsql.algebra.timeset_pieces import Pieces, aligned, tidied
from syncsql.errors import BindError

__all__ = ["MAX_PERIOD", "MAX_TICK", "TimeSet", "compare", "congruence", "gcd_cover"]


@dataclass(frozen=True, eq=False, repr=False)
class TimeSet:
    """``{t : lo ≤ t ≤ hi and t ∈ pattern, for some piece}``: an immutable set of ticks."""

    pieces: Pieces

    def __post_init__(self) -> None:
        for left, right in pairwise(self.pieces):
            if left.end >= right.lo:
                raise ValueError(f"pieces overlap or are out of order: {left}, {right}")

    # -- building ----------------------------------------------------------------------------------------------------

    @staticmethod
    def all() -> TimeSet:
        """``clockStr``: 0, 1, 2, …"""
        return _ALL

    @staticmethod
    def empty() -> TimeSet:
        """``∅``."""
        return _EMPTY

    @staticmethod
    def every(period: int, offset: int = 0) -> TimeSet:
        """``{t : t mod period = offset}``."""
        if not 0 <= offset < period:
            raise ValueError(f"the offset must be between 0 and the period: every({period}, {offset})")
        return TimeSet.repeating(Pattern.of(period, [(offset, offset)]))

    @staticmethod
    def range(lo: int | None, hi: int | None) -> TimeSet:
        """``{t : lo ≤ t ≤ hi}``; None leaves a side open."""
        return _tidy([(0 if lo is None else lo, MAX_TICK if hi is None else hi, FULL)])

    @staticmethod
    def of(points: Iterable[int]) -> TimeSet:
        """``{t₁, …, tₙ}``, for a few points."""
        return _tidy((t, t, FULL) for t in sorted(set(points)))

    @staticmethod
    def repeating(pattern: Pattern) -> TimeSet:
        """``{t ≥ 0 : t ∈ pattern}``."""
        return _tidy([(0, MAX_TICK, pattern)])

    # -- the Boolean algebra -----------------------------------------------------------------------------------------

    def __and__(self, other: TimeSet) -> TimeSet:
        return self._combined(other, meet)

    def __or__(self, other: TimeSet) -> TimeSet:
        # De Morgan: one operation on patterns is enough.
        return self._combined(other, lambda a, b, lo, hi: meet(a.complement, b.complement, lo, hi).complement)

    def __sub__(self, other: TimeSet) -> TimeSet:
        return self._combined(other, lambda a, b, lo, hi: meet(a, b.complement, lo, hi))

    def __invert__(self) -> TimeSet:
        return _ALL - self

    def _combined(self, other: TimeSet, operation: Callable[[Pattern, Pattern, int, int], Pattern]) -> TimeSet:
        return _tidy((lo, hi, operation(a, b, lo, hi)) for lo, hi, a, b in aligned(self.pieces, other.pieces))

    # -- comparing ---------------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TimeSet):
            return NotImplemented
        if self.pieces == other.pieces:
            return True
        if hash(self) != hash(other):
            return False
        return all(same_on(a, b, lo, hi) for lo, hi, a, b in aligned(self.pieces, other.pieces))

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Facts about the set, not about its form, since a few sets have several forms.
        return hash((self.count(0, MAX_TICK), tuple(islice(self.points(), 3))))

    def issubset(self, other: TimeSet) -> bool:
        """``self ⊆ other  ⇔  self - other = ∅``, exactly (Proposition 3); the difference is not built."""
        return all(disjoint(a, b.complement, lo, hi) for lo, hi, a, b in aligned(self.pieces, other.pieces))

    @property
    def is_empty(self) -> bool:
        return not self.pieces

    @property
    def is_all(self) -> bool:
        return self.pieces == _ALL.pieces

    # -- points ------------------------------------------------------------------------------------------------------

    @cached_property
    def _lows(self) -> tuple[int, ...]:
        return tuple(p.lo for p in self.pieces)

    def __contains__(self, t: object) -> bool:
        if not isinstance(t, int):
            return False
        i = bisect_right(self._lows, t) - 1
        return i >= 0 and t <= self.pieces[i].end and t in self.pieces[i].pattern

    def first_at_or_after(self, t: int) -> int | None:
        """``min {x ∈ self : x ≥ t}``: the release point of an operation with timestamp t (ζ), None if there is none."""
        i = bisect_right(self._lows, t) - 1
        if i >= 0 and (found := self.pieces[i].pattern.first(t)) <= self.pieces[i].end:
            return found
        return self.pieces[i + 1].lo if i + 1 < len(self.pieces) else None

    def last_at_or_before(self, t: int) -> int | None:
        """``max {x ∈ self : x ≤ t}``: the T' for which ``ℜ_Sync(S)`` at t is ``R[S(T')]``, None if there is none."""
        i = bisect_right(self._lows, t) - 1
        return self.pieces[i].pattern.last(min(t, self.pieces[i].end)) if i >= 0 else None

    def count(self, lo: int, hi: int) -> int:
        """``|self ∩ lo..hi|``."""
        return sum(p.pattern.count(max(lo, p.lo), min(hi, p.end)) for p in self.pieces)

    def points(self, lo: int = 0, hi: int = MAX_TICK) -> Iterator[int]:
        """The points from ``lo`` to ``hi``, ascending, made one by one."""
        for piece in self.pieces[max(0, bisect_right(self._lows, lo) - 1) : bisect_right(self._lows, hi)]:
            for a, b in piece.pattern.runs(max(lo, piece.lo), min(hi, piece.end)):
                yield from range(a, b + 1)

    # -- text --------------------------------------------------------------------------------------------------------

    def release_sql(self, column: str) -> str | None:
        """Spark SQL for :meth:`first_at_or_after` of a BIGINT column (NULL where none); None: join with a table."""
        return timeset_sql.release(self.pieces, column)

    def contains_sql(self, column: str) -> str | None:
        """Spark SQL for ``column ∈ self``; None where that would be unreasonably long."""
        return timeset_sql.contains(self.pieces, column)

    def describe(self) -> str:
        """The set as a predicate on Timepoint, shortened where it is very long."""
        return timeset_sql.describe(self.pieces)

    @cached_property
    def exact(self) -> str:
        """A text that no other set has, unlike a description: it names the set where names are compared."""
        return timeset_sql.exact(self.pieces)

    def __repr__(self) -> str:
        return f"TimeSet({self.describe()})"


def gcd_cover(sets: Iterable[TimeSet]) -> TimeSet:
    """The coarsest ``every(g, r)`` with ``s ⊆ every(g, r)`` for all s: g divides all distances between points.

    The empty set when there are no points. For one single point every g would do; then it is just that point.
    """
    g, anchor = 0, None
    for piece in (p for s in sets for p in s.pieces):
        anchor = piece.lo if anchor is None else anchor
        # lo is a point; with lo + period in the window too, the window shows every distance that the piece has.
        for a, b in piece.pattern.runs(piece.lo, min(piece.end, piece.lo + piece.period)):
            g = gcd(g, a - anchor, 1 if a < b else 0)
            if g == 1:
                return _ALL
    if anchor is None:
        return _EMPTY
    return TimeSet.every(g, anchor % g) if g else TimeSet.of([anchor])


def _tidy(ranges: Iterable[tuple[int, int, Pattern]]) -> TimeSet:
    return TimeSet(tidied(ranges))


_ALL = TimeSet.range(0, None)
_EMPTY = TimeSet(())


def compare(op: str, constant: Number) -> TimeSet:
    """``{t : t op constant}``, exactly, also for constants that are not whole or not finite."""
    low, high = satisfying(op, exact(constant), 0, MAX_TICK)
    return ~TimeSet.range(low, high) if op == "<>" else TimeSet.range(low, high)


def congruence(p: int, op: str, c: Number, a: int = 1, b: int = 0) -> TimeSet:
    """``{t : (a·t + b) % p op c}`` with Spark's ``%``: the result has the dividend's sign, that of p is immaterial."""
    p, c = abs(p), exact(c)
    if p == 0:
        raise BindError("SYNC.REMAINDER_BY_ZERO", "a remainder by 0 has no value", hint="use a period of 1 or more")
    # a·t + b ≥ 0 from, or up to, the tick at which the line crosses zero.
    if a > 0:
        positive = TimeSet.range(-(b // a), None)
    elif a < 0:
        positive = TimeSet.range(None, b // -a)
    else:
        positive = _ALL if b >= 0 else _EMPTY
    result = _EMPTY
    if not positive.is_empty:
        result = TimeSet.repeating(solutions(a, b, p, op, c)) & positive
    if not positive.is_all:
        # For x < 0, x % p = -((-x) % p): the same question about -x.
        result |= TimeSet.repeating(solutions(-a, -b, p, MIRRORED[op], -c)) - positive
    return result
