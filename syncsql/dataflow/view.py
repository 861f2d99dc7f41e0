"""What a view means, and how it is computed: two plans that give the same answer at every point."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from syncsql.algebra.binder import bind
from syncsql.algebra.catalog import Catalog
from syncsql.algebra.common import parts_of, signature
from syncsql.algebra.expressions import Column, has_now
from syncsql.algebra.keys import Key, key_of
from syncsql.algebra.normalize import keep_full_points, normalize, syncs_of
from syncsql.algebra.patterns import Pattern, pattern_of
from syncsql.algebra.relations import Filter, Node, Project, Scan, SetOperation, scans, walk
from syncsql.algebra.sync import Sync, events_in
from syncsql.language import Query

_NOT_IN_DELTA = re.compile(r"[ ,;{}()\n\t=.`]")


@dataclass(frozen=True)
class Continuous:
    """The meaning of a query: the plan as it is written (``bound``) and normalized, the columns of its answer and
    their key.

    ``columns`` are the visible ones and then the key columns that the user did not select."""

    bound: Node
    plan: Node
    columns: tuple[Column, ...]
    visible: int

    @classmethod
    def of(cls, query: Query, catalog: Catalog, tick_seconds: Fraction) -> Continuous:
        """Binds and normalizes; EMIT FULL reads every input at the common points."""
        bound = bind(query, catalog, tick_seconds)
        written, plan = bound.plan, normalize(bound.plan)
        if query.emit_full:
            written, plan = keep_full_points(written), keep_full_points(plan)
        return cls(written, plan, plan.columns, len(bound.columns))

    @cached_property
    def key(self) -> Key | None:
        return key_of(self.plan)

    @cached_property
    def syncs(self) -> list[Sync]:
        return syncs_of(self.plan)

    @property
    def append_only(self) -> bool:
        return pattern_of(self.plan) == Pattern.MONOTONIC

    @cached_property
    def labels(self) -> list[str]:
        """The names that the visible columns are shown with: a second ``ID`` is ``ID_2``."""
        return _unique([c.name for c in self.columns[: self.visible]])

    @cached_property
    def names(self) -> list[str]:
        """The columns' names in storage, free of the characters that Delta does not take. Those that begin with an
        underscore are the engine's."""
        hidden = [f"_key_{n}" for n in range(1, len(self.columns) - self.visible + 1)]
        return _unique([_NOT_IN_DELTA.sub("_", label).lstrip("_") or "column" for label in self.labels] + hidden)

    @property
    def key_names(self) -> tuple[str, ...] | None:
        by_id = dict(zip([c.id for c in self.columns], self.names, strict=True))
        return None if self.key is None else tuple(by_id[c.id] for c in self.key)

    @property
    def duplicate(self) -> str | None:
        """A visible column whose name another one has already."""
        return next((c.name for c, label in zip(self.columns, self.labels, strict=False) if c.name != label), None)

    @cached_property
    def inputs(self) -> set[str]:
        """The streams and views that it reads, also those that only tell it when (lower case)."""
        return _read(self.plan, self.syncs)

    @property
    def key_places(self) -> list[int] | None:
        """Which of the columns are the key."""
        return None if self.key is None else [self.columns.index(c) for c in self.key]


@dataclass(frozen=True)
class Execution:
    """How a view is computed: by ``plan``, whose columns are those of its meaning one by one. ``memory`` is the
    directory of what its operators remember. A virtual view computes nothing at an advance: its stream and relation
    are derived when they are read."""

    plan: Node
    memory: str
    virtual: bool = False

    @cached_property
    def stateless(self) -> bool:
        """Whether each change of the answer is made from changes of the input alone."""
        return all(
            isinstance(n, Scan | Project)
            or (isinstance(n, Filter) and not has_now(n.predicate))
            or (isinstance(n, SetOperation) and n.kind == "union" and n.all)
            for n in walk(self.plan)
        )

    @cached_property
    def inputs(self) -> set[str]:
        return _read(self.plan, syncs_of(self.plan))

    @cached_property
    def root(self) -> object:
        """What makes the whole plan equal to another."""
        return signature(self.plan)

    @cached_property
    def parts(self) -> dict[object, Node]:
        """The sub-plans that others may compute too, the largest first, by what makes them equal."""
        found: dict[object, Node] = {}
        for node in parts_of(self.plan):
            found.setdefault(signature(node), node)
        return found


def _read(plan: Node, syncs: list[Sync]) -> set[str]:
    read = {s.name.lower() for s in scans(plan) if s.kind != "clock"}
    points = [s.points for s in syncs] + [s.points for s in scans(plan) if s.points is not None]
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
