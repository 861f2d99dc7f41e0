"""A copy of a workspace to try views in: they are made, hidden and dropped, and the user's own stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from matcher.advice import Proposal
from matcher.block import with_sync
from matcher.candidates import Candidate
from matcher.common_sync import covering, stream_for
from matcher.context import Context
from matcher.decide import Matcher
from matcher.decision import Decision
from matcher.insertions import Insertions
from matcher.sqltext import quoted, to_sql, unique
from matcher.time import time_contained
from matcher.workspace import Asked, Workspace
from syncsql.algebra.sync import Sync
from syncsql.errors import SyncSQLError


@dataclass
class Scratch:
    """``taken_names`` are not given to new views; ``context`` proves what synchronization streams contain."""

    workspace: Workspace
    taken_names: frozenset[str]
    context: Context
    budget_ms: int
    statistics: Mapping[str, float]
    matcher: Matcher = field(init=False)
    # The synchronization streams that were made for covering views, with their statements.
    streams: dict[str, str] = field(default_factory=dict)
    _made: dict[Sync, Sync] = field(default_factory=dict)

    def __post_init__(self) -> None:
        own = self.workspace
        self.workspace = replace(own, definitions=dict(own.definitions), views=dict(own.views), plans=dict(own.plans))
        self.matcher = Matcher(self.workspace, self.budget_ms, statistics=self.statistics)

    def asked(self, proposal: Proposal) -> Asked:
        return self.workspace.query(proposal.statements[-1])

    def make(self, candidate: Candidate) -> Proposal | None:
        """The candidate as a view of the workspace; None where it cannot be said in SQL."""
        query, stream = candidate.query, None
        name = self._numbered("_".join(dict.fromkeys(("cover", *candidate.tables))))
        try:
            if candidate.syncs:
                stream = self._stream(covering(candidate.syncs, self._contained()))
                if stream is None:
                    return None
                query = with_sync(query, stream)
            columns = tuple(unique([c.name for c in query.columns]))
            statement = f"CREATE STREAMED VIEW {quoted(name)} AS {to_sql(query, names=columns)}"
            decision = self.matcher.decide(self.workspace.query(statement))
            self.workspace.read(statement)
        except SyncSQLError:
            return None
        self.matcher.refresh()
        return Proposal(name, None if stream is None else stream.name, (statement,), (), decision, 0.0)

    def _stream(self, wish: Sync) -> Sync | None:
        """A stream with the points of ``wish``, made where there is none."""
        if wish not in self._made:
            found = stream_for(wish, self.workspace, self._free)
            if found is None:
                return None
            self._made[wish] = found[0]
            if found[1] is not None:
                self.workspace.read(found[1])
                self.streams[found[0].name] = found[1]
        return self._made[wish]

    def drop(self, proposal: Proposal) -> None:
        self.workspace.drop_view(proposal.name)
        self.matcher.refresh()

    def decide(self, asked: Asked, without: Sequence[Proposal] = ()) -> Decision:
        """The decision for a query, as if some of the views were not there."""
        return self.matcher.decide(asked, but_not=[p.name for p in without])

    def with_streams(self, proposals: Sequence[Proposal]) -> list[Proposal]:
        """Each with the statement of its synchronization stream, where it is the first that needs a new one."""
        todo = dict(self.streams)
        return [
            replace(p, statements=(*([todo.pop(p.sync)] if p.sync in todo else []), *p.statements)) for p in proposals
        ]

    def _contained(self) -> Callable[[Sync, Sync], bool]:
        insertions = Insertions(self.workspace, self.context)
        return lambda one, other: bool(time_contained(one, other, self.context.effort, insertions))

    def _free(self, wish: str) -> str:
        return wish if self._is_free(wish) else self._numbered(wish)

    def _numbered(self, wish: str) -> str:
        return next(n for n in (f"{wish}_{i}" for i in count(1)) if self._is_free(n))

    def _is_free(self, name: str) -> bool:
        return self.workspace.find(name) is None and name.lower() not in self.taken_names
