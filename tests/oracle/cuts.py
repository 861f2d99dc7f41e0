"""The same input cut in different ways: which rows are pushed together, when they are, and where advances end."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Given:
    """A row of the input: its source, its timestamp, and the row. The input is a list in the order of arrival."""

    source: str
    at: int
    row: Row


@dataclass(frozen=True)
class Push:
    source: str
    at: int
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Cut:
    """The pushes that come before each advance, and the time that it goes to."""

    steps: tuple[tuple[tuple[Push, ...], int], ...]

    def __str__(self) -> str:
        return "; ".join(f"{len(pushes)} pushes, to {to}" for pushes, to in self.steps)


def whole(given: Sequence[Given], ends: Sequence[int]) -> Cut:
    """Everything is pushed at once, and advances end only where they have to."""
    groups = _groups(given)
    pushes = tuple(Push(source, at, tuple(rows)) for (source, at), rows in groups.items())
    return Cut(tuple((pushes if n == 0 else (), to) for n, to in enumerate(ends)))


def random_cut(given: Sequence[Given], ends: Sequence[int], rng: random.Random, advances: int, single: bool) -> Cut:
    """Random advances beside ``ends``; the rows of a timestamp in random pieces (``single``: each row by itself), each
    pushed in the slice of its timestamp or some slices before. Only the order within a timestamp stays."""
    other = sorted(set(range(ends[-1])) - set(ends))
    stops = sorted({*ends, *rng.sample(other, advances - len(ends))})
    slots: list[list[Push]] = [[] for _ in stops]
    for (source, at), rows in _groups(given).items():
        latest = next(n for n, to in enumerate(stops) if to >= at)
        pieces = [(r,) for r in rows] if single else _pieces(rows, rng)
        early = rng.random() < 0.3
        places = sorted(rng.randint(0, latest) if early else latest for _ in pieces)
        for piece, place in zip(pieces, places, strict=True):
            slots[place].append(Push(source, at, tuple(piece)))
    return Cut(tuple((tuple(_mixed(slot, rng)), to) for slot, to in zip(slots, stops, strict=True)))


def _groups(given: Sequence[Given]) -> dict[tuple[str, int], list[Row]]:
    groups: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for g in given:
        groups[g.source, g.at].append(g.row)
    return groups


def _pieces(rows: list[Row], rng: random.Random) -> list[Sequence[Row]]:
    inner = [n for n in range(1, len(rows)) if rng.random() < 0.5]
    return [rows[a:b] for a, b in zip([0, *inner], [*inner, len(rows)], strict=True)]


def _mixed(pushes: list[Push], rng: random.Random) -> list[Push]:
    """In a random order, in which the pushes of one source and timestamp keep theirs."""
    waiting: dict[tuple[str, int], list[Push]] = defaultdict(list)
    for push in pushes:
        waiting[push.source, push.at].append(push)
    turns = [(p.source, p.at) for p in pushes]
    rng.shuffle(turns)
    return [waiting[turn].pop(0) for turn in turns]
