"""A view as the engine runs it: its plan, and where its stream, relation and memory are stored."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from syncsql.algebra.binder import bind
from syncsql.algebra.catalog import Catalog
from syncsql.algebra.expressions import Column
from syncsql.algebra.keys import Key, key_of
from syncsql.algebra.normalize import keep_full_points, normalize, syncs_of
from syncsql.algebra.patterns import Pattern, pattern_of
from syncsql.algebra.relations import Node, scans
from syncsql.algebra.sync import Sync, events_in
from syncsql.language import Query

_NOT_IN_DELTA = re.compile(r"[ ,;{}()\n\t=.`]")


@dataclass(frozen=True)
class Continuous:
    """The meaning of a query, and the plan that computes it.

    ``bound`` is the query as it is written, ``own`` the normalized plan of it. ``plan`` is what runs: ``own``, or an
    equal plan over other views, with the same columns. What the answer is, and what its stream looks like, is told by
    ``own`` alone, so it is the same whatever runs. The columns are the ``visible`` ones and then the key columns that
    the user did not select."""

    bound: Node
    own: Node
    plan: Node
    visible: int

    def __post_init__(self) -> None:
        if self.plan.columns != self.own.columns:
            raise ValueError("the plan that runs has other columns than the query")

    @classmethod
    def of(cls, query: Query, catalog: Catalog, tick_seconds: Fraction) -> Continuous:
        """Binds and normalizes; EMIT FULL reads every input at the common points."""
        bound = bind(query, catalog, tick_seconds)
        plan, own = bound.plan, normalize(bound.plan)
        if query.emit_full:
            plan, own = keep_full_points(plan), keep_full_points(own)
        return cls(plan, own, own, len(bound.columns))

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.own.columns

    @cached_property
    def key(self) -> Key | None:
        return key_of(self.own)

    @cached_property
    def syncs(self) -> list[Sync]:
        return syncs_of(self.own)

    @property
    def append_only(self) -> bool:
        return pattern_of(self.own) == Pattern.MONOTONIC

    @cached_property
    def labels(self) -> list[str]:
        """The names that the visible columns are shown with: a second ``ID`` is ``ID_2``."""
        return _unique([c.name for c in self.columns[: self.visible]])

    @cached_property
    def names(self) -> list[str]:
        """The columns' names in storage, free of the characters that Delta does not take."""
        hidden = [f"_key_{n}" for n in range(1, len(self.columns) - self.visible + 1)]
        return _unique([_NOT_IN_DELTA.sub("_", label) for label in self.labels] + hidden)

    @property
    def key_names(self) -> tuple[str, ...] | None:
        by_id = dict(zip([c.id for c in self.columns], self.names, strict=True))
        return None if self.key is None else tuple(by_id[c.id] for c in self.key)

    @property
    def duplicate(self) -> str | None:
        """A visible column whose name another one has already."""
        return next((c.name for c, label in zip(self.columns, self.labels, strict=False) if c.name != label), None)

    @cached_property
    def reads(self) -> set[str]:
        """The streams and views that the query names, also those that only tell it when (lower case)."""
        return _read_by(self.own)

    @cached_property
    def inputs(self) -> set[str]:
        """The streams and views that must be up to date before it runs (lower case)."""
        points = {name.lower() for s in self.syncs for name in events_in(s.points)}
        return _read_by(self.plan) | points


def _read_by(plan: Node) -> set[str]:
    read = {s.name.lower() for s in scans(plan) if s.kind != "clock"}
    points = [s.points for s in syncs_of(plan)] + [s.points for s in scans(plan) if s.points is not None]
    return read | {name.lower() for p in points for name in events_in(p)}


def _unique(names: list[str]) -> list[str]:
    """``names`` with a number behind each that is there already, without regard to case."""
    unique: list[str] = []
    for name in names:
        taken = {n.lower() for n in unique} | ({n.lower() for n in names} - {name.lower()})
        candidate, n = name, 1
        while candidate.lower() in taken:
            n += 1
            candidate = f"{name}_{n}"
        unique.append(candidate)
    return unique
