"""A set of integers that repeats: ``t ∈ P  ⇔  starts[i] ≤ t mod period ≤ ends[i] for some i``.

One period is kept as *runs* of consecutive ticks, not as single residues: "one hour of each day" counted in
milliseconds is one run instead of 3,600,000 residues, and a complement has as many runs as its original.

Two patterns are only ever compared or combined within a window ``lo..hi``. There the result repeats after
``min(lcm of the periods, hi - lo + 1)`` ticks, so a long lcm costs nothing where the window is short, and what has to
be listed are runs, never ticks. Plain integers and ``bisect`` are used on purpose: nearly every sync stream has one or
two runs, for which an array library is slower, and an lcm may exceed 64 bits.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice, zip_longest
from math import gcd, lcm

from syncsql.errors import BindError

MAX_TICK = 2**63 - 1
"""Time is a 64-bit integer: no set has a point after this one."""

MAX_PERIOD = 1_000_000
"""A period up to this always works; a longer one as long as no more than this many runs have to be listed."""

_FEW_PAIRS = 1024


def too_long(period: int) -> BindError:
    """The error for a set that could only be written down by listing too much of one period."""
    return BindError(
        "SYNC.PERIOD_TOO_LONG",
        f"the synchronization points repeat only after {period:,} ticks, in more than {MAX_PERIOD:,} separate runs; "
        f"irregular periods are supported up to {MAX_PERIOD:,} ticks",
        hint="choose periods with a common multiple that is small, such as 10 and 60 instead of 7 and 1000003",
    )


@dataclass(frozen=True)
class Pattern:
    """``{t ∈ ℤ : starts[i] ≤ t mod period ≤ ends[i] for some i}``; of the smallest period, hence canonical.

    Build one with :meth:`of`. Runs are disjoint, ascending, and do not touch, except that one which crosses the end of
    the period is kept as two.
    """

    period: int
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @staticmethod
    def of(period: int, runs: Iterable[tuple[int, int]]) -> Pattern:
        """``runs + period·ℤ``, for disjoint runs (first, last) that lie within some window of ``period`` ticks."""
        folded: list[tuple[int, int]] = []
        for a, b in runs:
            start = a % period
            end = start + b - a
            if end < period:
                folded.append((start, end))
            else:
                folded += ((start, period - 1), (0, end - period))
        folded.sort()
        starts: list[int] = []
        ends: list[int] = []
        for start, end in folded:
            if ends and start <= ends[-1] + 1:
                ends[-1] = end
            else:
                starts.append(start)
                ends.append(end)
        return _smallest(period, starts, ends)

    @property
    def is_empty(self) -> bool:
        return not self.starts

    @property
    def is_full(self) -> bool:
        return self.period == 1 and bool(self.starts)

    @cached_property
    def complement(self) -> Pattern:
        """``ℤ \\ P``; the smallest period of a set is that of its complement too."""
        gaps = zip((0, *(e + 1 for e in self.ends)), (*(s - 1 for s in self.starts), self.period - 1), strict=True)
        kept = [(a, b) for a, b in gaps if a <= b]
        return Pattern(self.period, tuple(a for a, _ in kept), tuple(b for _, b in kept))

    @cached_property
    def _before(self) -> tuple[int, ...]:
        """How many points of a period lie before each run, and lastly in the whole period."""
        return tuple(accumulate((e - s + 1 for s, e in zip(self.starts, self.ends, strict=True)), initial=0))

    @property
    def size(self) -> int:
        """The number of points in one period."""
        return self._before[-1]

    def __contains__(self, t: int) -> bool:
        i = bisect_left(self.ends, t % self.period)
        return i < len(self.ends) and self.starts[i] <= t % self.period

    def first(self, t: int) -> int:
        """``min {x ∈ P : x ≥ t}``, for a pattern that is not empty."""
        r = t % self.period
        i = bisect_left(self.ends, r)
        if i == len(self.ends):
            return t - r + self.period + self.starts[0]
        return t - r + max(r, self.starts[i])

    def last(self, t: int) -> int:
        """``max {x ∈ P : x ≤ t}``, for a pattern that is not empty."""
        r = t % self.period
        i = bisect_right(self.starts, r) - 1
        return t - r - self.period + self.ends[-1] if i < 0 else t - r + min(r, self.ends[i])

    def count(self, lo: int, hi: int) -> int:
        """``|P ∩ lo..hi|``."""
        return max(0, self._count_below(hi + 1) - self._count_below(lo)) if lo <= hi else 0

    def _count_below(self, t: int) -> int:
        q, r = divmod(t, self.period)
        i = bisect_left(self.ends, r)
        part = max(0, r - self.starts[i]) if i < len(self.starts) else 0
        return q * self.size + self._before[i] + part

    def runs(self, lo: int, hi: int) -> Iterator[tuple[int, int]]:
        """The maximal runs of ``P ∩ lo..hi``, ascending."""
        if lo > hi or self.is_empty:
            return
        if self.is_full:
            yield lo, hi
            return
        i = bisect_left(self.ends, lo % self.period)
        base = lo - lo % self.period
        a, b = lo, lo - 1
        while True:
            if i == len(self.starts):
                i, base = 0, base + self.period
            start = base + self.starts[i]
            if start > hi:
                break
            # A run that crosses the end of the period comes as two and is put together again.
            if start > b + 1:
                if a <= b:
                    yield a, b
                a = start
            b = base + self.ends[i]
            i += 1
        if a <= b:
            yield a, min(b, hi)

    def run_count(self, lo: int, hi: int) -> int:
        """How many runs :meth:`runs` yields at most, without making them."""
        if self.is_full or self.is_empty:
            return len(self.starts)
        (q0, r0), (q1, r1) = divmod(lo, self.period), divmod(hi, self.period)
        return (q1 - q0) * len(self.starts) + bisect_right(self.starts, r1) - bisect_left(self.ends, r0)


EMPTY = Pattern(1, (), ())
FULL = Pattern(1, (0,), (0,))


def _smallest(period: int, starts: list[int], ends: list[int]) -> Pattern:
    """The same set with its smallest period.

    A shift by ``period / f`` that maps the set to itself moves the runs' edges around the circle in steps of one
    ``f``-th of them, so ``f`` divides their number: only that (small) number is ever factored, never the period.
    """
    if not starts:
        return EMPTY
    crosses = starts[0] == 0 and ends[-1] == period - 1
    rises, falls = (starts[1:], ends[:-1]) if crosses else (starts, ends)
    if not rises:
        return FULL
    whole, f = period, 2
    common = gcd(period, len(rises))
    while common > 1:
        if f * f > common:
            f = common
        if common % f:
            f += 1
            continue
        common //= f
        shift, step = period // f, len(rises) // f
        if all(x[i + step] == x[i] + shift for x in (rises, falls) for i in range(len(rises) - step)):
            period, rises, falls = shift, rises[:step], falls[:step]
    if period == whole:
        return Pattern(period, tuple(starts), tuple(ends))
    kept = bisect_left(starts, period)
    return Pattern(period, tuple(starts[:kept]), tuple(min(e, period - 1) for e in ends[:kept]))


def meet(a: Pattern, b: Pattern, lo: int, hi: int) -> Pattern:
    """A pattern equal to ``a ∩ b`` within ``lo..hi`` (outside, it may be anything)."""
    if a == b or b.is_full or a.is_empty:
        return a
    if a.is_full or b.is_empty:
        return b
    repeat = lcm(a.period, b.period)
    period = min(repeat, hi - lo + 1)
    top = lo + period - 1
    few, many = sorted((a, b), key=lambda p: p.run_count(lo, top))
    listed = few.run_count(lo, top)
    if a.size * b.size <= min(listed, MAX_PERIOD):
        points = (lo + (x - lo) % repeat for x in _common_residues(a, b))
        return Pattern.of(period, [(x, x) for x in points if x <= top])
    if listed <= MAX_PERIOD:
        pairs = (run for x, y in few.runs(lo, top) for run in many.runs(x, y))
        found = list(islice(pairs, MAX_PERIOD + 1))
        if len(found) <= MAX_PERIOD:
            return Pattern.of(period, found)
    # What is too long to list may still be one of the two, or nothing.
    if disjoint(a, b, lo, hi):
        return EMPTY
    if disjoint(a, b.complement, lo, hi):
        return a
    if disjoint(b, a.complement, lo, hi):
        return b
    raise too_long(period)


def _common_residues(a: Pattern, b: Pattern) -> Iterator[int]:
    """Chinese remainders: the ``x mod lcm`` with ``x ≡ r (mod a.period)`` and ``x ≡ s (mod b.period)``."""
    g = gcd(a.period, b.period)
    modulus = b.period // g
    inverse = pow(a.period // g, -1, modulus)
    for r in residues(a):
        for s in residues(b):
            if (s - r) % g == 0:
                yield r + a.period * ((s - r) // g * inverse % modulus)


def residues(p: Pattern) -> Iterator[int]:
    """The points of one period, ascending."""
    for start, end in zip(p.starts, p.ends, strict=True):
        yield from range(start, end + 1)


def disjoint(a: Pattern, b: Pattern, lo: int, hi: int) -> bool:
    """``a ∩ b ∩ lo..hi = ∅``, exactly."""
    if a.is_empty or b.is_empty:
        return True
    repeat = lcm(a.period, b.period)
    if len(a.starts) * len(b.starts) <= _FEW_PAIRS:
        # Residues r of a and s of b meet somewhere in ℤ iff r ≡ s modulo the gcd of the periods: a multiple of it has
        # to lie between the extreme differences of two runs.
        g = gcd(a.period, b.period)
        if not any(
            (y - c) // g * g >= x - d
            for x, y in zip(a.starts, a.ends, strict=True)
            for c, d in zip(b.starts, b.ends, strict=True)
        ):
            return True
        if hi - lo + 1 >= repeat:
            return False
    top = min(hi, lo + repeat - 1)
    few, many = sorted((a, b), key=lambda p: p.run_count(lo, top))
    if any(many.first(x) <= y for x, y in islice(few.runs(lo, top), MAX_PERIOD)):
        return False
    if few.run_count(lo, top) > MAX_PERIOD:
        raise too_long(repeat)
    return True


def same_on(a: Pattern, b: Pattern, lo: int, hi: int) -> bool:
    """``a ∩ lo..hi = b ∩ lo..hi``, exactly.

    By Fine and Wilf, a window as long as both periods together that agrees has their gcd as period; both periods are
    the smallest, so the patterns are the same. A shorter window holds few runs of the pattern with the longer period.
    """
    if a == b:
        return True
    if hi - lo + 1 >= a.period + b.period:
        return False
    return all(x == y for x, y in zip_longest(a.runs(lo, hi), b.runs(lo, hi)))
