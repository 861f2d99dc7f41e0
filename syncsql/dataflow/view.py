"""A view as the engine runs it: its plan, and where its stream, relation and memory are stored."""

from __future__ import annotations

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


@dataclass(frozen=True)
class Continuous:
    """The meaning of a query: a normalized plan, the columns of its answer and their key.

    ``columns`` are the visible ones and then the key columns that the user did not select."""

    plan: Node
    columns: tuple[Column, ...]
    visible: int

    @classmethod
    def of(cls, query: Query, catalog: Catalog, tick_seconds: Fraction) -> Continuous:
        """Binds and normalizes; EMIT FULL reads every input at the common points."""
        bound = bind(query, catalog, tick_seconds)
        plan = normalize(bound.plan)
        return cls(keep_full_points(plan) if query.emit_full else plan, plan.columns, len(bound.columns))

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
    def names(self) -> list[str]:
        """The columns' names in storage, where each is there once: a second ``ID`` is ``ID_2``."""
        names: list[str] = []
        used = {c.name.lower() for c in self.columns}
        for column in self.columns:
            name, n = column.name, 1
            while name.lower() in {x.lower() for x in names} or (n > 1 and name.lower() in used):
                n += 1
                name = f"{column.name}_{n}"
            names.append(name)
        return names

    @property
    def key_names(self) -> tuple[str, ...] | None:
        by_id = dict(zip([c.id for c in self.columns], self.names, strict=True))
        return None if self.key is None else tuple(by_id[c.id] for c in self.key)

    @property
    def duplicate(self) -> str | None:
        """A visible column whose name another one has already."""
        for column, name in zip(self.columns, self.names[: self.visible], strict=False):
            if column.name != name:
                return column.name
        return None

    @cached_property
    def inputs(self) -> set[str]:
        """The streams and views that it reads, also those that only tell it when (lower case)."""
        read = {s.name.lower() for s in scans(self.plan) if s.kind != "clock"}
        points = [s.points for s in self.syncs] + [s.points for s in scans(self.plan) if s.points is not None]
        return read | {name.lower() for p in points for name in events_in(p)}
