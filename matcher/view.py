"""A view as a candidate: its normal form with column ids of its own, and the points at which it is up to date."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from matcher.block import Block, Query, as_block, map_columns, relations, syncs, visible
from matcher.fingerprint import fingerprint
from syncsql.algebra.catalog import UNKNOWN, Field, ViewDef
from syncsql.algebra.expressions import Column
from syncsql.algebra.relations import Scan
from syncsql.algebra.sync import Sync, Ticks, intersection

_WINDOW = 1000


@dataclass(frozen=True)
class View:
    """``fields`` are the columns that its readers see, in the order of the first columns of ``query``."""

    name: str
    query: Query
    fields: tuple[Column, ...]
    key: tuple[str, ...] | None = None
    append_only: bool = False

    @classmethod
    def of(cls, definition: ViewDef, query: Query, stored: tuple[Field, ...]) -> View:
        """``stored`` are the columns that can be read, with the types that they have there."""
        name = definition.name
        own = map_columns(query, lambda c: Column(f"{name}.{c.id}", c.name, c.type))
        fields = tuple(
            replace(c, name=f.name, type=c.type if f.type == UNKNOWN else f.type)
            for c, f in zip(own.columns, stored, strict=False)
        )
        return cls(name, own, fields, definition.key, definition.append_only)

    @cached_property
    def block(self) -> Block:
        return as_block(self.query)

    @cached_property
    def sync(self) -> Sync:
        """Its full points (Proposition 2): the common points of all its inputs."""
        return intersection(sorted(syncs(self.query), key=lambda s: s.name))

    @cached_property
    def often(self) -> float:
        """The part of the ticks at which it is refreshed; all, where that is not known."""
        points = self.sync.points
        return points.times.count(0, _WINDOW - 1) / _WINDOW if isinstance(points, Ticks) else 1.0

    @cached_property
    def says(self) -> str:
        """A text that is equal for a query that says the same as the view."""
        return fingerprint(visible(self.query, len(self.fields)))

    @cached_property
    def tables(self) -> frozenset[str]:
        return frozenset(s.name.lower() for s in relations(self.query))

    def scan(self, sync: Sync, number: int) -> Scan:
        """ℜ_sync(view) with columns of its own, so that a view can stand in a query more than once."""
        outputs = tuple(Column(f"{c.id}#{number}", c.name, c.type) for c in self.fields)
        by = {c.name.lower(): c.id for c in outputs}
        key = None if self.key is None else tuple(by[k.lower()] for k in self.key)
        return Scan(self.name, "view", sync, outputs, None, key, self.append_only)
