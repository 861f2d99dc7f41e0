"""The names that can be completed: what a database holds, read from its catalog without a job."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from syncsql.session import Database


@dataclass(frozen=True)
class Names:
    """Each name with its columns. ``functions`` are Spark's."""

    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    streams: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    views: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    functions: tuple[str, ...] = ()

    @property
    def relations(self) -> dict[str, tuple[str, ...]]:
        """What can stand in FROM."""
        return {**self.streams, **self.views, "clockStr": ("Timepoint",)}


def names_of(db: Database, functions: tuple[str, ...]) -> Names:
    registry = db._engine.registry
    return Names(
        {s.name: tuple(f.name for f in s.definition.fields) for s in registry.sources()},
        {s.name: tuple(f.name for f in s.definition.fields) for s in registry.streams()},
        {v.name: tuple(f.name for f in v.definition.fields) for v in registry.views()},
        functions,
    )
