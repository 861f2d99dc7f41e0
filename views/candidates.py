"""What may answer a query: the views of a database, kept in line with its registry as candidates for the matcher.

A view is bound once, by the engine, when it is made; here its plan is taken as it was bound then. So a view whose
synchronization stream was since replaced keeps its meaning, and taking in one more view costs the same however many
there are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from matcher.block import Block, map_columns
from matcher.decide import FAILED, Matcher
from matcher.decision import Decision
from matcher.plan import to_plan
from matcher.verdict import Match, Unknown
from matcher.view import View as Candidate
from matcher.workspace import Workspace
from syncsql.algebra.catalog import Field
from syncsql.algebra.expressions import Call, Column, Expr
from syncsql.algebra.normalize import normalize
from syncsql.algebra.relations import Join, Node, Project, Scan, SetOperation
from syncsql.dataflow.registry import Entry, Registry, View
from syncsql.dataflow.view import Continuous
from syncsql.language import Query
from syncsql.storage.stored import Stored


class Candidates:
    """The views of a registry as candidates. Views over the clock are known as streams of time points, and none."""

    def __init__(
        self, registry: Registry, tick_seconds: Fraction = Fraction(1), budget_ms: int = 200,
        statistics: Mapping[str, float] | None = None,
    ) -> None:  # fmt: skip
        """With ``budget_ms``, the time for one proof, at zero nothing is shared. ``statistics`` are numbers of rows,
        by default those that the tables of the registry know."""
        self._registry = registry
        known = StoredRows(registry) if statistics is None else statistics
        self._matcher = Matcher(Workspace(tick_seconds), budget_ms, statistics=known, exact=True)
        self._entries: dict[str, Entry] = {}
        # Virtual views: what one can answer, that which it is derived from can too.
        self._virtual: dict[str, Candidate] = {}
        # Views that the matcher could not take in, and why.
        self._unknown: dict[str, Unknown] = {}

    @property
    def workspace(self) -> Workspace:
        return self._matcher.workspace

    @property
    def budget_ms(self) -> int:
        return self._matcher.budget_ms

    @budget_ms.setter
    def budget_ms(self, value: int) -> None:
        self._matcher.budget_ms = value

    def refresh(self) -> None:
        """Takes in what was made, replaced or dropped since; the others stay as they are."""
        entries = {e.name.lower(): e for e in self._registry}
        changed = {
            name
            for name, old in self._entries.items()
            if name not in entries or _differ(old, entries[name]) or (name in self._virtual) != _virtual(entries[name])
        }
        for name in changed:
            self._forget(name)
        for name, entry in entries.items():
            if name in self._entries and isinstance(entry, View) and entry.inputs & changed:
                # Its own text is the same, but it is about something else now.
                self._forget(name)
                changed.add(name)
            if name not in self._entries:
                self._take(entry)
                changed.add(name)
            self._entries[name] = entry
        if changed:
            self._matcher.refresh()

    def decide(
        self, query: Query | Continuous, every: bool = False, evidence: bool = False, but_not: Collection[str] = ()
    ) -> Decision:
        """The decision for a query, of which a rewrite has the key columns too that the user did not select. Views in
        ``but_not`` are not used: a view cannot answer itself, nor be answered by what reads it."""
        self.refresh()
        text = query.sql if isinstance(query, Query) else ""
        meant = query if isinstance(query, Continuous) else self._bound(query)
        names = tuple(c.name for c in meant.columns[: meant.visible])
        unknown = dict(self._unknown)
        try:
            asked = self.workspace.asked(text, meant.bound, names)
            decision = self._matcher.decide(asked, every, evidence, but_not, self._virtual.values())
        except Exception as error:
            # The matcher's mistake must not be the query's: it runs unshared.
            decision = Decision(text, Block((), ()), names, (), views=len(self.workspace.views))
            unknown |= {v.name: _failure(error) for v in self.workspace.views.values()}
        barred = {name.lower() for name in but_not}
        more = tuple((n, why) for n, why in unknown.items() if every and n.lower() not in barred)
        return replace(decision, verdicts=(*decision.verdicts, *more))

    def _bound(self, query: Query) -> Continuous:
        return Continuous.of(query, self._registry, self.workspace.tick_seconds)

    def _take(self, entry: Entry) -> None:
        self.workspace.add(entry.definition)
        if not isinstance(entry, View) or entry.feed is None:
            return
        hidden = [f for f in entry.feed.row.fields if f.name not in entry.feed.visible]
        fields = tuple(Field(f.name, f.dataType.simpleString().upper()) for f in hidden)
        try:
            candidate = self.workspace.add_bound(entry.definition, entry.continuous.bound, fields)
            if entry.execution.virtual:
                self._virtual[entry.name.lower()] = candidate
                del self.workspace.views[entry.name.lower()]
        except Exception as error:
            self._unknown[entry.name] = _failure(error)

    def _forget(self, name: str) -> None:
        entry = self._entries.pop(name)
        self.workspace.drop_view(name)
        self._unknown.pop(entry.name, None)
        self._virtual.pop(name, None)


def _differ(old: Entry, new: Entry) -> bool:
    """Whether an entry means something else now; one that was only read again from the catalog does not."""
    if old is new:
        return False
    if isinstance(old, View) and isinstance(new, View):
        same = old.definition == new.definition and old.continuous.bound == new.continuous.bound
        return not same or (old.feed is None) != (new.feed is None)
    return old.definition != new.definition


def _virtual(entry: Entry) -> bool:
    return isinstance(entry, View) and entry.execution.virtual


def _failure(error: Exception) -> Unknown:
    return Unknown(f"{FAILED}: {type(error).__name__}: {error}")


class StoredRows(Mapping[str, float]):
    """The rows that streams and views have now, by lower-case name; of a virtual view an upper bound."""

    def __init__(self, registry: Registry) -> None:
        self._feeds = registry.feeds

    def __getitem__(self, name: str) -> float:
        feed = self._feeds[name]
        return float(feed.count() if isinstance(feed, Stored) else feed.size(None))

    def __iter__(self) -> Iterator[str]:
        return iter(self._feeds)

    def __len__(self) -> int:
        return len(self._feeds)


def answered_from(query: Continuous, match: Match, types: Sequence[str]) -> Node:
    """The plan of a rewrite of ``query``, with its columns. ``types`` are those that Spark gives to them: a sum of sums
    may have a wider one, so what is not passed on as it is stored is cast."""
    plan = _renumbered(to_plan(match.rewrite))
    if len(plan.columns) != len(query.columns):
        raise ValueError("a rewrite without the key columns of the query")
    cells = tuple(_cast(plan, column, type_) for column, type_ in zip(plan.columns, types, strict=True))
    return normalize(Project(plan, query.columns, cells))


def _renumbered(plan: Node) -> Node:
    """``plan`` with ids that can stand in SQL, and that no column of the query has."""
    ids: dict[str, str] = {}
    return map_columns(plan, lambda c: replace(c, id=ids.setdefault(c.id, f"m{len(ids) + 1}")))


def _cast(plan: Node, column: Column, type_: str) -> Expr:
    stored = _stored(plan, column)
    if stored is not None and stored.type is not None and stored.type.upper() == type_.upper():
        return column
    return Call(f"CAST AS {type_}", ("CAST(", f" AS {type_})"), (column,), type_)


def _stored(plan: Node, column: Column) -> Column | None:
    """The column of a stored relation that ``column`` is without change; None where it is computed."""
    if isinstance(plan, Scan):
        return column if column in plan.columns else None
    if isinstance(plan, Project):
        by = dict(zip(plan.columns, plan.expressions, strict=True))
        below = by.get(column)
        return _stored(plan.input, below) if isinstance(below, Column) else None
    if isinstance(plan, SetOperation) or (isinstance(plan, Join) and plan.kind not in ("inner", "semi", "anti")):
        return None
    found = (_stored(i, column) for i in plan.inputs if column in i.columns)
    return next((f for f in found if f is not None), None)
