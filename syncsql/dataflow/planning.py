"""How a view is to be computed: who decides it, and what is decided."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Protocol

from syncsql.algebra.relations import Node
from syncsql.dataflow.advancing import Advanced
from syncsql.dataflow.registry import View
from syncsql.dataflow.view import Continuous
from syncsql.language import Query
from syncsql.language.statements import Keeping


@dataclass(frozen=True)
class Wanted:
    """A view or query that is to be computed from ``created`` on. ``keeping`` is what the user asked for, if
    anything; ``but_not`` are the views (lower case) that it must not be computed from."""

    name: str
    query: Query
    continuous: Continuous
    created: int
    keeping: Keeping | None = None
    but_not: Collection[str] = ()


@dataclass(frozen=True)
class Planned:
    """``plan`` gives the wanted answer at every point. ``why`` is what the planner wants to know of it later."""

    plan: Node
    virtual: bool
    why: object = field(default=None, compare=False)


class Planner(Protocol):
    def plan(self, wanted: Wanted) -> Planned:
        """The way to compute ``wanted``; nothing is changed."""

    def made(self, view: View, planned: Planned, how: str) -> None:
        """``view`` is computed in the planned way from now on; ``how`` it came to that: created, replanned."""

    def dropped(self, view: View) -> None:
        """``view`` is gone."""

    def advanced(self, advanced: Advanced) -> None:
        """An advance was carried out."""


class Unshared:
    """Every view is computed as it is written."""

    def plan(self, wanted: Wanted) -> Planned:
        return Planned(wanted.continuous.plan, wanted.keeping == "VIRTUAL")

    def made(self, view: View, planned: Planned, how: str) -> None:
        """Nobody will ask."""

    def dropped(self, view: View) -> None:
        """Nobody will ask."""

    def advanced(self, advanced: Advanced) -> None:
        """Nobody will ask."""
