"""What a rewrite costs to keep up, told in rows: a simple sum that can be explained, and is the same every time.

- *rows*: those of every relation that is read. Known from statistics where there are any; else a table counts as a
  thousand rows, and a view keeps half of them for each of its conditions (of conditions joined by OR, what any of
  them keeps);
- *groups*: a view that groups by the same expressions and whose rows are known tells how many there are; else there is
  one for ten rows, for each of the columns;
- *work*: a little for each condition, more for grouping, most for joins;
- *points*: of views that cost the same, the one that is refreshed less often has fewer changes to read.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import prod

from matcher.block import Base, Block, Derived, Grouping, Query, Union, parts, relations
from matcher.view import View
from syncsql.algebra.expressions import Call, Expr, sql

_TABLE_ROWS = 1000.0
_KEPT = 0.5
_GROUPED = 0.1
_WORK_PER_CONDITION = 0.02
_WORK_PER_GROUPING = 0.5
READY = 0.9
_POINTS = 0.001


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


Grouped = tuple[frozenset[str], frozenset[str]]


def grouped_by(query: Query) -> Grouped | None:
    """What a query groups: its relations, and its keys in terms of their columns. None where it is not one grouping
    of relations."""
    if not isinstance(query, Block) or query.grouping is None or not query.grouping.keys:
        return None
    names: dict[str, str] = {}
    for source in query.all_sources:
        if not isinstance(source, Base):
            return None
        names |= {c.id: f"{source.name.lower()}.{source.place(c)}" for c in source.columns}
    keys = frozenset(sql(e, lambda c: names.get(c.id, c.id)) for _, e in query.grouping.keys)
    return frozenset(s.name.lower() for s in query.all_sources if isinstance(s, Base)), keys


@dataclass(frozen=True)
class Estimator:
    """``known`` are the rows of relations by lower-case name, ``groupings`` the views that make the same groups."""

    views: Mapping[str, View]
    known: Mapping[str, float]
    groupings: Mapping[Grouped, Collection[str]] = field(default_factory=dict)

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
        """The number of rows of a query's answer, as far as it can be told."""
        if isinstance(query, Block):
            inputs = [self.rows(s.name) if isinstance(s, Base) else self.size(s.query) for s in query.all_sources]
            # Joins are mostly along references, so a join has about as many rows as its largest input.
            size = max(inputs, default=1.0) * prod(map(_kept, query.where[len(inputs) - 1 :] if inputs else ()))
            if query.grouping is None:
                return max(size, 1.0)
            return max(self._groups(query, query.grouping, size), 1.0)
        sizes = [self.size(p) for p in parts(query)]
        return sum(sizes) if isinstance(query, Union) else sizes[0]

    def _groups(self, query: Block, grouping: Grouping, rows: float) -> float:
        grouped = grouped_by(query)
        names = () if grouped is None else self.groupings.get(grouped, ())
        known = [count for n in names if (count := self.known.get(n))]
        return min(max(known), rows) if known else rows * min(_GROUPED * len(grouping.keys), 1.0)

    def cost(self, query: Query) -> Cost:
        """The cost of answering ``query`` as it is written."""
        read, notes = 0.0, []
        for scan in relations(query):
            size = self.rows(scan.name)
            if scan.kind != "view":
                read += size
                notes.append(f"{size:,.0f} rows of {scan.name}")
                continue
            # A view's rows are projected already, and need not be tagged or joined again.
            view = self.views.get(scan.name.lower())
            often = 1.0 if view is None else view.often
            read += size * (READY + _POINTS * often)
            refreshed = "" if often == 1 else f", refreshed at {often:.0%} of the ticks"
            notes.append(f"{size:,.0f} rows of {scan.name}, ready{refreshed}")
        work = {"conditions": 0.0, "grouping": 0.0, "joins": 0.0, "nested queries": 0.0}
        todo = [query]
        while todo:
            inner = todo.pop()
            todo += parts(inner)
            if isinstance(inner, Block):
                below = sum(self.rows(s.name) if isinstance(s, Base) else self.size(s.query) for s in inner.all_sources)
                work["conditions"] += below * _WORK_PER_CONDITION * len(inner.where)
                work["grouping"] += below * _WORK_PER_GROUPING * (inner.grouping is not None)
                work["joins"] += below * (len(inner.all_sources) > 1)
                work["nested queries"] += sum(0.1 for s in inner.all_sources if isinstance(s, Derived))
        notes += [f"{rows:,.0f} for {what}" for what, rows in work.items() if round(rows) > 0]
        return Cost(read, sum(work.values()), tuple(notes))


def _kept(condition: Expr) -> float:
    """The part of all rows that a condition is guessed to keep."""
    if isinstance(condition, Call) and condition.op in ("AND", "OR"):
        left, right = map(_kept, condition.args)
        return left * right if condition.op == "AND" else 1 - (1 - left) * (1 - right)
    return _KEPT
