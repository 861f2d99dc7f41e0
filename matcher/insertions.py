"""Event-based synchronization: are the insertions of one stream always insertions of another at the same time?

For two selections from the same stream that only grows, the insertions of one are among those of the other when its
condition implies the other's: a row is inserted into both when it comes, or into none. A union of time points has the
insertions of all its branches: a point of time is new when it comes, whatever came before.
"""

from __future__ import annotations

from dataclasses import dataclass

from matcher.block import Base, Block, Derived, Query, Union, syncs
from matcher.context import Context
from matcher.normal import normal_form
from matcher.workspace import Workspace
from syncsql.algebra.catalog import StreamDef
from syncsql.algebra.expressions import Column, Expr, has_now, has_subquery, substitute_columns
from syncsql.algebra.relations import Scan
from syncsql.algebra.sync import CLOCK

_Selection = tuple[Base, tuple[Expr, ...]]


@dataclass
class Insertions:
    workspace: Workspace
    context: Context

    def __call__(self, one: str, other: str) -> bool:
        """Whether every insertion of ``one`` is one of ``other`` at the same time."""
        mine, theirs = self._selections(one), self._selections(other)
        return bool(mine) and all(any(self._contained(a, b) for b in theirs) for a in mine)

    def _contained(self, one: _Selection, other: _Selection) -> bool:
        if one[0].name.lower() != other[0].name.lower():
            return False
        by: dict[str, Expr] = {c.id: one[0].by_place[other[0].place(c)] for c in other[0].columns}
        theirs = [substitute_columns(e, by) for e in other[1]]
        return bool(self.context.prover(self.context.facts.not_null(one[0])).implies(one[1], theirs))

    def _selections(self, name: str) -> list[_Selection]:
        """What a stream selects from streams that only grow, at every tick; nothing where it is something else."""
        view = self.workspace.views.get(name.lower())
        if view is not None:
            branches = _time_points(view.query)
            found = [_selection(q) for q in branches or [view.query]]
            return [s for s in found if s is not None] if None not in found else []
        stream = self.workspace.find(name)
        if not isinstance(stream, StreamDef):
            return []
        columns = tuple(Column(f"{name}.{f.name}", f.name, f.type) for f in stream.fields)
        ts = Column(f"{name}.⟨TS⟩", "TS", "BIGINT")
        whole = _selection(normal_form(Scan(stream.name, "stream", CLOCK, columns, ts, None, stream.append_only)))
        return [] if whole is None else [whole]


def _time_points(query: Query) -> list[Query]:
    """The branches of ``SELECT TS … UNION SELECT TS …``; none where ``query`` is something else."""
    if not isinstance(query, Block) or query.grouping is None or not query.grouping.is_distinct or query.where:
        return []
    union = query.sources[0] if len(query.sources) == 1 and not query.lefts else None
    if not isinstance(union, Derived) or not isinstance(union.query, Union):
        return []
    branches = list(union.query.branches)
    return branches if all(_is_time(b) for b in branches) else []


def _is_time(branch: Query) -> bool:
    """Whether a branch shows when its rows came, and nothing else."""
    if not isinstance(branch, Block) or len(branch.sources) != 1:
        return False
    source = branch.sources[0]
    return isinstance(source, Base) and [e for _, e in branch.outputs] == [source.scan.ts]


def _selection(query: Query) -> _Selection | None:
    if not isinstance(query, Block) or query.grouping is not None or query.lefts or len(query.sources) != 1:
        return None
    source = query.sources[0]
    grows = isinstance(source, Base) and source.scan.append_only
    # A row that waits for the time, or for the rows of another stream, comes later than it was inserted.
    waits = any(has_now(e) or has_subquery(e) for e in query.where)
    if not grows or waits or syncs(query) != {CLOCK}:
        return None
    assert isinstance(source, Base)
    return source, query.where
