"""One synchronization stream for many queries: at every point at which one of them is due, and at few others.

The end of section 5.2: of streams over the clock the greatest common divisor (every 4th and every 6th tick are among
every 2nd). Where that would refresh far more often than anyone asks for, and where streams are made of events, it is
the union of the streams.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from matcher.sqltext import quoted
from syncsql.algebra.catalog import Catalog, StreamDef, ViewDef
from syncsql.algebra.sync import CLOCK, Events, Mixed, Points, Sync, Ticks, combine
from syncsql.algebra.timeset import MAX_TICK, TimeSet, gcd_cover
from syncsql.errors import BindError

# A divisor may have so many times the points of the union: up to there it is worth it to have a plain stream.
_MOST_TIMES = 2
_MOST_NAMES = 3


def covering(syncs: Sequence[Sync], contained: Callable[[Sync, Sync], bool]) -> Sync:
    """A stream with the points of all ``syncs``, by the name that it would have; ``contained`` proves it of two."""
    largest: list[Sync] = []
    for sync in sorted(syncs, key=lambda s: (isinstance(s.points, Ticks), s.name.lower()), reverse=True):
        if not any(contained(sync, other) for other in largest):
            largest = [s for s in largest if not contained(s, sync)] + [sync]
    if len(largest) == 1 and largest[0].name.isidentifier():
        return largest[0]
    points: Points = Ticks(TimeSet.empty())
    for sync in sorted(largest, key=lambda s: s.name.lower()):
        if not isinstance(sync.points, Ticks):
            points = combine("union", points, sync.points)
    ticks = [s.points.times for s in largest if isinstance(s.points, Ticks)]
    if ticks:
        points = combine("union", points, Ticks(_ticks(ticks)))
    return Sync(_wish(points, largest), points)


def _ticks(sets: Sequence[TimeSet]) -> TimeSet:
    divisor = gcd_cover(sets)
    try:
        union = TimeSet.empty()
        for times in sets:
            union |= times
    except BindError:
        # The union repeats only after a period that is too long to write down.
        return divisor
    coarser = divisor.is_all or divisor.count(0, MAX_TICK) > _MOST_TIMES * union.count(0, MAX_TICK)
    return union if coarser and _predicate(union) is not None else divisor


def stream_for(wish: Sync, catalog: Catalog, free: Callable[[str], str]) -> tuple[Sync, str | None] | None:
    """A stream with the points of ``wish``: one that there is, or a new one with the statement that makes it.

    None where the points cannot be said in SQL."""
    if wish.is_clock:
        return CLOCK, None
    for known in _known(catalog):
        if known == wish:
            return known, None
    query = _query(wish.points)
    if query is None:
        return None
    name = free(wish.name if wish.name.isidentifier() else "SyncUnion")
    return Sync(name, wish.points), f"CREATE STREAMED VIEW {quoted(name)} AS {query}"


def _known(catalog: Catalog) -> Iterable[Sync]:
    for name in sorted(catalog.names(), key=str.lower):
        found = catalog.find(name)
        if isinstance(found, ViewDef) and found.points is not None:
            yield Sync(found.name, found.points)
        elif isinstance(found, ViewDef | StreamDef) and len(found.fields) == 1:
            yield Sync(found.name, Events(found.name))


def _query(points: Points) -> str | None:
    if isinstance(points, Events):
        return f"SELECT TS FROM R({quoted(points.stream)})"
    if isinstance(points, Mixed):
        left, right = _query(points.left), _query(points.right)
        return None if left is None or right is None or points.op != "union" else f"{left} UNION {right}"
    predicate = _predicate(points.times)
    return None if predicate is None else f"SELECT Timepoint FROM R(clockStr) WHERE {predicate}"


def _predicate(times: TimeSet) -> str | None:
    """The set as a condition on Timepoint, where that is short."""
    said = times.describe()
    return None if "…" in said or times.is_empty else said.replace(" mod ", " % ")


def _wish(points: Points, syncs: Sequence[Sync]) -> str:
    """``Sync2`` for every second tick, ``Sync2_or_Sync3`` for a union of a few."""
    if isinstance(points, Ticks) and gcd_cover([points.times]) == points.times:
        pieces = points.times.pieces
        period, first = pieces[0].period, pieces[0].lo
        return f"Sync{period}_{first}" if first else f"Sync{period}"
    return "_or_".join(sorted(s.name for s in syncs)) if len(syncs) <= _MOST_NAMES else "SyncUnion"
