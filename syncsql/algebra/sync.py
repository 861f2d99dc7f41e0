"""Synchronization streams (section 3.2): which time points a relation takes in what has arrived.

Over ``clockStr`` they are kept symbolic (:class:`~syncsql.algebra.timeset.TimeSet`); an event-based one is the
insertions of a stored stream; a mixture is a set expression over both. A point of an event-based stream is the
timestamp of an insertion into it, so a point is never known after its time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from syncsql.algebra.timeset import TimeSet

Op = Literal["union", "intersect", "except"]
_SYMBOL = {"union": "∪", "intersect": "∩", "except": "−"}


@dataclass(frozen=True)
class Ticks:
    """A set of time points known by arithmetic alone."""

    times: TimeSet

    def __str__(self) -> str:
        return self.times.describe()


@dataclass(frozen=True)
class Events:
    """The timestamps of the insertions into the stored stream or view ``stream``."""

    stream: str

    def __str__(self) -> str:
        return f"insertions of {self.stream}"


@dataclass(frozen=True)
class Mixed:
    """A set operation of two sets of points of which at least one is event-based."""

    op: Op
    left: Points
    right: Points

    def __str__(self) -> str:
        return f"({self.left}) {_SYMBOL[self.op]} ({self.right})"


Points = Ticks | Events | Mixed


def exact(points: Points) -> str:
    """A text that no other points have. ``str`` is for people: it is shortened, so it tells no two sets apart."""
    if isinstance(points, Ticks):
        return points.times.exact
    if isinstance(points, Events):
        return repr(points.stream)
    return f"({exact(points.left)} {points.op} {exact(points.right)})"


def combine(op: Op, left: Points, right: Points) -> Points:
    """The set operation, done at once where both sides are arithmetic."""
    if isinstance(left, Ticks) and isinstance(right, Ticks):
        if op == "union":
            return Ticks(left.times | right.times)
        return Ticks(left.times & right.times if op == "intersect" else left.times - right.times)
    if left == right:
        return Ticks(TimeSet.empty()) if op == "except" else left
    everything, nothing = Ticks(TimeSet.all()), Ticks(TimeSet.empty())
    if op == "intersect" and everything in (left, right):
        return right if left == everything else left
    if op == "union" and nothing in (left, right):
        return right if left == nothing else left
    return Mixed(op, left, right)


def events_in(points: Points) -> Iterator[str]:
    """The stored streams whose insertions these points come from."""
    if isinstance(points, Events):
        yield points.stream
    elif isinstance(points, Mixed):
        yield from events_in(points.left)
        yield from events_in(points.right)


@dataclass(frozen=True)
class Sync:
    """A named synchronization stream and its points. Two with the same points are the same, whatever their names."""

    name: str
    points: Points

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sync) and self.points == other.points

    def __hash__(self) -> int:
        return hash(self.points)

    @property
    def is_clock(self) -> bool:
        return isinstance(self.points, Ticks) and self.points.times.is_all

    def __and__(self, other: Sync) -> Sync:
        """The common points: where both are synchronized (Proposition 2)."""
        if self == other or other.is_clock:
            return self
        if self.is_clock:
            return other
        return Sync(f"{self.name} ∩ {other.name}", combine("intersect", self.points, other.points))


CLOCK = Sync("clockStr", Ticks(TimeSet.all()))


def intersection(syncs: list[Sync]) -> Sync:
    """Where all of them are synchronized: the full points of a query over them."""
    result = CLOCK
    for sync in syncs:
        result = result & sync
    return result
