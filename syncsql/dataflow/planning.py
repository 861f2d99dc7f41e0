"""How a view is to be computed: who decides it, and what is decided."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pyspark.sql.types import StructType

from syncsql.algebra.relations import Node
from syncsql.dataflow.advancing import Advanced
from syncsql.dataflow.registry import View
from syncsql.dataflow.view import Continuous
from syncsql.errors import EngineError
from syncsql.language import Query
from syncsql.language.statements import Keeping
from syncsql.render import Report
from syncsql.storage.table import Table


@dataclass(frozen=True)
class Wanted:
    """A view or query that is to be computed from ``created`` on. ``row`` has the columns of its answer with Spark's
    types; ``keeping`` is what the user asked for, if anything; ``but_not`` are the views (lower case) that it must not
    be computed from."""

    name: str
    query: Query
    continuous: Continuous
    row: StructType
    created: int
    keeping: Keeping | None = None
    but_not: Collection[str] = ()


@dataclass(frozen=True)
class Planned:
    """``plan`` gives the wanted answer at every point. ``part`` is a sub-plan of it that the views ``users`` compute
    too. ``why`` is what the planner wants to know of it later."""

    plan: Node
    virtual: bool
    part: Node | None = None
    users: tuple[View, ...] = ()
    why: object = field(default=None, compare=False)


class Planner(Protocol):
    def plan(self, wanted: Wanted) -> Planned:
        """The way to compute ``wanted``; nothing is changed."""

    def made(self, view: View, planned: Planned, how: str) -> None:
        """``view`` is computed in the planned way from now on; ``how`` it came to that: created, replanned."""

    def why(self, query: View, planned: Planned) -> Shown | None:
        """Why a query, which is kept nowhere, is computed in the planned way."""

    def dropped(self, view: View) -> None:
        """``view`` is gone."""

    def advanced(self, advanced: Advanced) -> None:
        """An advance was carried out."""

    def tables(self) -> Sequence[Table]:
        """What it writes down."""

    def decision(self, view: str) -> Shown | None:
        """Why the view is computed as it is; None where nobody decided."""

    def report(self) -> Report:
        """How every view is computed, and what that saved."""

    def advise(self, queries: Sequence[str]) -> Advice:
        """Which views would lower the cost of ``queries``."""


class Advice(Protocol):
    """Views that are proposed: ``statements`` create them."""

    @property
    def statements(self) -> tuple[str, ...]: ...

    def __str__(self) -> str: ...

    def _repr_html_(self) -> str: ...

    def to_dict(self) -> dict[str, Any]: ...


class Shown(Protocol):
    """A value that a person can look at, in a terminal and in a notebook, and a program too."""

    def __str__(self) -> str: ...

    def _repr_html_(self) -> str: ...

    def to_dict(self) -> dict[str, Any]: ...


class Unshared:
    """Every view is computed as it is written."""

    def plan(self, wanted: Wanted) -> Planned:
        return Planned(wanted.continuous.plan, wanted.keeping == "VIRTUAL")

    def made(self, view: View, planned: Planned, how: str) -> None:
        """Nobody will ask."""

    def why(self, query: View, planned: Planned) -> Shown | None:
        return None

    def dropped(self, view: View) -> None:
        """Nobody will ask."""

    def advanced(self, advanced: Advanced) -> None:
        """Nobody will ask."""

    def tables(self) -> Sequence[Table]:
        return ()

    def decision(self, view: str) -> Shown | None:
        return None

    def report(self) -> Report:
        return Report("every view is computed as it is written: the database was opened with sharing=False")

    def advise(self, queries: Sequence[str]) -> Advice:
        raise EngineError(
            "SHARING.OFF", "views would lower no cost here: the database was opened with sharing=False",
            hint="open it with connect(path)",
        )  # fmt: skip


def unshared(host: object) -> Planner:
    return Unshared()
