"""What a rewrite costs to keep up, told in rows: a simple sum that can be explained, and is the same every time.

Rows of tables and views come from statistics where they are known. Without them a table counts as a thousand rows, a
view keeps half of them for each of its conditions (of conditions joined by OR, what any of them keeps), and a grouping
a tenth for each of its columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from matcher.block import Base, Block, Derived, Query, Union, expressions, parts, relations, scans_of
from matcher.view import View
from syncsql.algebra.expressions import Call, Expr, Subquery, walk
from syncsql.algebra.sync import Ticks

_TABLE_ROWS = 1000.0
_KEPT = 0.5
_GROUPED = 0.1
_WORK_PER_CONDITION = 0.02
_WORK_PER_GROUPING = 0.5
READY = 0.9
_WINDOW = 1000


@dataclass(frozen=True)
class Cost:
    """``rows`` are read, ``work`` is done with them; ``notes`` say how it came about."""

    rows: float
    work: float
    notes: tuple[str, ...] = ()

    @property
    def total(self) -> float:
        return self.rows + self.work

    def __str__(self) -> str:
        return f"{self.total:,.0f} ({'; '.join(self.notes)})"


@dataclass(frozen=True)
class Estimator:
    views: Mapping[str, View]
    known: Mapping[str, float]

    def rows(self, name: str) -> float:
        """The rows of a table or view, known or guessed. An empty table tells nothing of what will come, and an empty
        view only where its tables are not."""
        view, known = self.views.get(name.lower()), self.known.get(name.lower())
        if known:
            return known
        if view is None:
            return _TABLE_ROWS
        return 1.0 if known == 0 and any(self.known.get(t) for t in view.tables) else self.size(view.query)

    def size(self, query: Query) -> float:
        """The guessed number of rows of a query's answer."""
        if isinstance(query, Block):
            inputs = [self.rows(s.name) if isinstance(s, Base) else self.size(s.query) for s in query.all_sources]
            # Joins are mostly along references, so a join has about as many rows as its largest input.
            size = max(inputs, default=1.0) * prod(map(_kept, query.where[len(inputs) - 1 :] if inputs else ()))
            if query.grouping is None:
                return max(size, 1.0)
            return max(size * min(_GROUPED * len(query.grouping.keys), 1.0), 1.0)
        sizes = [self.size(p) for p in parts(query)]
        return sum(sizes) if isinstance(query, Union) else sizes[0]

    def cost(self, query: Query) -> Cost:
        """The cost of answering ``query`` as it is written."""
        rows, work, notes = 0.0, 0.0, []
        for scan in relations(query, subqueries=False):
            size = self.rows(scan.name)
            view = self.views.get(scan.name.lower())
            # A view's rows are projected already, and need not be tagged or joined again.
            rows += size if scan.kind != "view" else size * READY
            notes.append(f"{size:,.0f} rows of {scan.name}")
            if view is not None and scan.kind == "view":
                # Among equal views the one that is refreshed less often has fewer changes to read.
                rows += size * 0.001 * _density(view)
        todo = [query]
        while todo:
            inner = todo.pop()
            todo += parts(inner)
            for expr in expressions(inner):
                read = [s for e in walk(expr) if isinstance(e, Subquery) for s in scans_of(e)]
                rows += sum(self.rows(s.name) for s in read)
            if isinstance(inner, Block):
                below = sum(self.rows(s.name) if isinstance(s, Base) else self.size(s.query) for s in inner.all_sources)
                work += below * _WORK_PER_CONDITION * len(inner.where)
                if inner.grouping is not None:
                    work += below * _WORK_PER_GROUPING
                if len(inner.all_sources) > 1:
                    work += below
                work += sum(0.1 for s in inner.all_sources if isinstance(s, Derived))
        if work:
            notes.append(f"{work:,.0f} for conditions, joins and grouping")
        return Cost(rows, work, tuple(notes))


def _kept(condition: Expr) -> float:
    """The part of all rows that a condition is guessed to keep."""
    if isinstance(condition, Call) and condition.op in ("AND", "OR"):
        left, right = map(_kept, condition.args)
        return left * right if condition.op == "AND" else 1 - (1 - left) * (1 - right)
    return _KEPT


def _density(view: View) -> float:
    points = view.sync.points
    return points.times.count(0, _WINDOW) / _WINDOW if isinstance(points, Ticks) else 1.0
