"""A virtual view: no table and no work at an advance; what is read of it is derived from what it runs on.

Its changes over (F0, F1] are those of its plan over the changes of its inputs. Where the plan must remember something
(groups, counts, windows), what it remembers at F0 is made from the relations at F0: the slice begins with the whole
answer at F0, which is then left out.
"""

from __future__ import annotations

from dataclasses import dataclass

from syncsql.algebra.expressions import has_now
from syncsql.algebra.relations import Filter, Node, scans, walk
from syncsql.dataflow.registry import View
from syncsql.dataflow.run import Runner
from syncsql.operators.context import Slice
from syncsql.storage.feed import Feed
from syncsql.storage.scratch import Scratch
from syncsql.stream.names import AT, TS
from syncsql.stream.text import Sql, listed, quoted


@dataclass
class Virtual(Feed):
    runner: Runner
    view: View | None = None

    @property
    def kept(self) -> int | None:
        feeds = [self.runner.feed(s) for s in scans(self._plan) if s.kind != "clock"]
        return max((f.kept for f in feeds if f.kept is not None), default=None)

    def changes(self, scratch: Scratch, after: int | None, until: int | None) -> Sql:
        span = self.span(after, until)
        if span is None:
            return scratch.empty(self.log_schema)
        lines = self.runner.derived(self._view, scratch, span)
        return lines if span.first is None or span.first != after else f"SELECT * FROM ({lines}) WHERE {AT} > {after}"

    def lines(self, after: int | None, until: int | None) -> int:
        span = self.span(after, until)
        if span is None:
            return 0
        begins = None if span.first == after else span.first
        start = span.start if begins is not None or span.first is None else span.first
        coming = sum(self.runner.coming(s, start, span.end, begins) for s in scans(self._plan))
        if coming == 0 and not any(isinstance(n, Filter) and has_now(n.predicate) for n in walk(self._plan)):
            return 0
        return coming if self._view.execution.stateless else coming + self.size(after)

    def at(self, scratch: Scratch, point: int, keys: Sql | None = None, ts: bool = True) -> Sql:
        if self.runner.first_point(self._view, point) is None:
            return scratch.empty(self.relation_schema)
        if ts:
            # When a row came in is known by its stream alone.
            return self.folded(scratch, None, self.changes(scratch, None, point), keys)
        lines = self.runner.derived(self._view, scratch, Slice(point - 1, point, point))
        cells = listed([f"CAST(NULL AS BIGINT) AS {TS}", *map(quoted, self.columns)])
        return self.among_keys(f"SELECT {cells} FROM ({lines})", keys)

    def size(self, point: int | None) -> int:
        feeds = [self.runner.feed(s) for s in scans(self._plan) if s.kind != "clock"]
        return sum(f.size(point) for f in feeds)

    def refresh(self) -> None:
        """Nothing of it is stored."""

    @property
    def _view(self) -> View:
        assert self.view is not None
        return self.view

    @property
    def _plan(self) -> Node:
        return self._view.execution.plan

    def span(self, after: int | None, until: int | None) -> Slice | None:
        """The slice that gives the changes in (after, until]; None where the view has not begun."""
        assert until is not None
        first = self.runner.first_point(self._view, until)
        if first is None or (after is not None and after >= until):
            return None
        if after is None or after < first:
            return Slice(first - 1, until, first)
        return Slice(after, until) if self._view.execution.stateless else Slice(after - 1, until, after)
