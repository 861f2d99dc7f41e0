"""The normal form of a set of ticks: ``⋃ lo..end ∩ pattern`` over a few disjoint, ascending pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from syncsql.algebra.timeset_pattern import EMPTY, FULL, MAX_TICK, Pattern, residues, same_on

_FEW_RUNS = 64


@dataclass(frozen=True)
class Piece:
    """``{t : lo ≤ t ≤ end and t ∈ pattern}``; ``end`` is MAX_TICK for a piece that goes on for ever."""

    lo: int
    end: int
    pattern: Pattern

    @property
    def hi(self) -> int | None:
        """The last point, None for a piece that goes on for ever."""
        return None if self.end == MAX_TICK else self.end

    @property
    def period(self) -> int:
        return self.pattern.period

    @property
    def residues(self) -> tuple[int, ...]:
        """The points of one period; may be long where the pattern's runs are."""
        return tuple(residues(self.pattern))


Pieces = tuple[Piece, ...]


def aligned(x: Pieces, y: Pieces) -> Iterator[tuple[int, int, Pattern, Pattern]]:
    """Ranges ``lo..hi`` that together are all of time, with the one pattern that each set has there."""
    cuts = sorted({0, MAX_TICK + 1, *(c for p in (*x, *y) for c in (p.lo, p.end + 1))})
    i = j = 0
    for lo, after in pairwise(cuts):
        while i < len(x) and x[i].end < lo:
            i += 1
        while j < len(y) and y[j].end < lo:
            j += 1
        a = x[i].pattern if i < len(x) and x[i].lo <= lo else EMPTY
        b = y[j].pattern if j < len(y) and y[j].lo <= lo else EMPTY
        yield lo, after - 1, a, b


def tidied(ranges: Iterable[tuple[int, int, Pattern]]) -> Pieces:
    """The normal form of ``⋃ lo..hi ∩ pattern``, for disjoint ascending ranges."""
    pieces: list[Piece] = []
    for lo, hi, pattern in ranges:
        for piece in _trimmed(max(lo, 0), min(hi, MAX_TICK), pattern):
            while pieces and (joined := _joined(pieces[-1], piece)):
                pieces.pop()
                piece = joined
            pieces.append(piece)
    return tuple(pieces)


def _trimmed(lo: int, hi: int, pattern: Pattern) -> Iterator[Piece]:
    """``lo..hi ∩ pattern`` as pieces that begin, and where they are finite end, with a point."""
    if lo > hi or pattern.is_empty or (first := pattern.first(lo)) > hi:
        return
    last = MAX_TICK if hi == MAX_TICK else pattern.last(hi)
    length = last - first + 1
    if length >= pattern.period:
        yield Piece(first, last, pattern)
        return
    # Nothing repeats here, so the period says nothing: name the few runs, or take the length as the period.
    runs = list(islice(pattern.runs(first, last), _FEW_RUNS + 1))
    if len(runs) <= _FEW_RUNS:
        yield from (Piece(a, b, FULL) for a, b in runs)
    else:
        yield Piece(first, last, Pattern.of(length, pattern.runs(first, last)))


def _joined(left: Piece, right: Piece) -> Piece | None:
    """Both as one piece, if the pattern of one of them describes both and has no point between them."""
    for pattern in (right.pattern, left.pattern):
        if (
            pattern.first(left.end + 1) == right.lo
            and same_on(pattern, left.pattern, left.lo, left.end)
            and same_on(pattern, right.pattern, right.lo, right.end)
        ):
            return Piece(left.lo, right.end, pattern)
    return None
