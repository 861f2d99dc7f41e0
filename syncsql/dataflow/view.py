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
        return [c.name for c in self.columns]

    @cached_property
    def inputs(self) -> set[str]:
        """The streams and views that it reads, also those that only tell it when (lower case)."""
        read = {s.name.lower() for s in scans(self.plan) if s.kind != "clock"}
        points = [s.points for s in self.syncs] + [s.points for s in scans(self.plan) if s.points is not None]
        return read | {name.lower() for p in points for name in events_in(p)}
