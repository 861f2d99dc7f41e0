"""Event-based synchronization: are the insertions of one stream always insertions of another at the same time?

For two selections from the same stream that only grows, the insertions of one are among those of the other when its
condition implies the other's: a row is inserted into both when it comes, or into none.
"""

from __future__ import annotations

from dataclasses import dataclass

from matcher.block import Base, Block, Query, syncs
from matcher.context import Context
from matcher.normal import normal_form
from matcher.workspace import Workspace
from syncsql.algebra.catalog import StreamDef
from syncsql.algebra.expressions import Column, Expr, has_now, substitute_columns
from syncsql.algebra.relations import Scan
from syncsql.algebra.sync import CLOCK


@dataclass
class Insertions:
    workspace: Workspace
    context: Context

    def __call__(self, one: str, other: str) -> bool:
        """Whether every insertion of ``one`` is one of ``other`` at the same time."""
        a, b = self._selection(one), self._selection(other)
        if a is None or b is None or a[0].name.lower() != b[0].name.lower():
            return False
        by: dict[str, Expr] = {c.id: a[0].by_place[b[0].place(c)] for c in b[0].columns}
        theirs = [substitute_columns(e, by) for e in b[1]]
        return bool(self.context.prover(self.context.facts.not_null(a[0])).implies(a[1], theirs))

    def _selection(self, name: str) -> tuple[Base, tuple[Expr, ...]] | None:
        """What a stream selects from a stream that only grows, at every tick; None where it is something else."""
        query: Query
        view = self.workspace.views.get(name.lower())
        if view is not None:
            query = view.query
        else:
            found = self.workspace.find(name)
            if not isinstance(found, StreamDef):
                return None
            columns = tuple(Column(f"{name}.{f.name}", f.name, f.type) for f in found.fields)
            ts = Column(f"{name}.⟨TS⟩", "TS", "BIGINT")
            query = normal_form(Scan(found.name, "stream", CLOCK, columns, ts, None, found.append_only))
        if not isinstance(query, Block) or query.grouping is not None or query.lefts or len(query.sources) != 1:
            return None
        source = query.sources[0]
        grows = isinstance(source, Base) and source.scan.append_only
        if not grows or syncs(query) != {CLOCK} or any(has_now(e) for e in query.where):
            return None
        assert isinstance(source, Base)
        return source, query.where
