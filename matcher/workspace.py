"""Tables, streams and views read from SQL text: a catalog that needs no database, and the candidates in it.

``schema.sql`` has CREATE TABLE statements with their constraints (or the language's own REGISTER SOURCE and CREATE
STREAM), ``views.sql`` has CREATE VIEW statements. A view may read the ones before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count

from matcher.block import Query, map_columns, syncs, visible, with_sync
from matcher.facts import Facts
from matcher.normal import normal_form
from matcher.prover import Effort
from matcher.simplify import simplify
from matcher.sqltext import unique
from matcher.tables import table_of, with_targets
from matcher.view import View
from syncsql.algebra.binder import Bound, bind
from syncsql.algebra.catalog import UNKNOWN, Definition, Field, TableDef, ViewDef
from syncsql.algebra.clock import now_row_of, points_of, reads_clock
from syncsql.algebra.declarations import source_of, stream_of
from syncsql.algebra.expressions import columns_in
from syncsql.algebra.keys import key_of
from syncsql.algebra.normalize import keep_full_points, normalize
from syncsql.algebra.patterns import Pattern, pattern_of
from syncsql.algebra.relations import Node, Scan, expressions_of, walk
from syncsql.algebra.sync import Sync, Ticks
from syncsql.errors import ParseError
from syncsql.language import CreateStream, CreateView, RegisterSource, parse_schema, parse_statement
from syncsql.language import Query as Statement
from syncsql.language import Statement as AnyStatement


@dataclass(frozen=True)
class Asked:
    """A query: the user's text, its normal form, its plan, and the names of its visible columns, which come first."""

    text: str
    form: Query
    plan: Node
    names: tuple[str, ...]


@dataclass
class Workspace:
    """A catalog of definitions, with the normal forms of its views."""

    tick_seconds: Fraction = Fraction(1)
    definitions: dict[str, Definition] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    # What a view is by its own text, for whoever evaluates it: the plan, and how many of its columns are seen.
    plans: dict[str, tuple[Node, int]] = field(default_factory=dict)

    # The binder's side

    def find(self, name: str) -> Definition | None:
        return self.definitions.get(name.lower())

    def names(self) -> Iterable[str]:
        return [d.name for d in self.definitions.values()]

    # Reading

    def read(self, text: str) -> list[str]:
        """Takes in every statement of a script; the names of the views that it makes."""
        made: list[str] = []
        declared = False
        for parsed in parse_schema(text):
            if isinstance(parsed, str):
                self.add(table_of(parsed))
                declared = True
            elif isinstance(parsed, RegisterSource):
                self.add(source_of(parsed))
            elif isinstance(parsed, CreateStream):
                self.add(stream_of(parsed, self))
            elif isinstance(parsed, CreateView):
                if declared:
                    self._settle()
                    declared = False
                self.add_view(parsed.name, parsed.query)
                made.append(parsed.name)
            else:
                raise ParseError("PARSE.SCHEMA", "only CREATE TABLE, CREATE STREAM and CREATE VIEW belong here")
        if declared:
            self._settle()
        return made

    def _settle(self) -> None:
        """Finds what the tables refer to, which may be declared after them."""
        for name, found in list(self.definitions.items()):
            if isinstance(found, TableDef) and (settled := with_targets(found, self)) != found:
                self.definitions[name] = settled

    def add(self, definition: Definition) -> None:
        self.definitions[definition.name.lower()] = definition

    def add_view(self, name: str, query: Statement) -> View | None:
        """Binds a view. One over the clock alone is known to the binder, but nothing can be answered from it."""
        plan, bound = self.plan(query)
        labels = tuple(unique([c.name for c in bound.columns]))
        fields = tuple(Field(label, c.type or UNKNOWN) for label, c in zip(labels, bound.columns, strict=True))
        tidy = normalize(plan)
        points, row = points_of(tidy), now_row_of(tidy)
        if reads_clock(plan) and (points is not None or row is not None):
            self.add(ViewDef(name, query.sql, query.mode, fields, None, False, False, points, row))
            return None
        append = pattern_of(tidy) == Pattern.MONOTONIC
        definition = ViewDef(name, query.sql, query.mode, fields, _visible_key(tidy, bound, labels), append)
        return self.add_bound(definition, plan)

    def add_bound(self, definition: ViewDef, plan: Node, hidden: tuple[Field, ...] = ()) -> View:
        """A view whose query is bound already. ``hidden`` are columns that are stored behind those that its readers
        see, which are the rest of ``plan``'s columns: a rewrite may read them."""
        name = definition.name
        self.add(definition)
        view = View.of(definition, self.normal_form(plan), (*definition.fields, *hidden))
        self.views[name.lower()] = view
        self.plans[name.lower()] = (plan, len(view.fields))
        return view

    def drop_view(self, name: str) -> None:
        for kept in (self.definitions, self.views, self.plans):
            kept.pop(name.lower(), None)

    def query(self, text: str | AnyStatement) -> Asked:
        """A query, or that of a view, in normal form, with its plan and the names of its answer's columns."""
        statement = parse_statement(text) if isinstance(text, str) else text
        if isinstance(statement, CreateView):
            statement = statement.query
        if not isinstance(statement, Statement):
            raise ParseError("PARSE.SYNTAX", "a query is expected", hint="SELECT …")
        plan, bound = self.plan(statement)
        asked = self.asked(statement.sql, plan, tuple(c.name for c in bound.columns))
        return replace(asked, form=visible(asked.form, len(asked.names)))

    def asked(self, text: str, plan: Node, names: tuple[str, ...]) -> Asked:
        """A query that is bound already; ``names`` are those of the columns that the user selected. The key columns
        behind them stay, so that a rewrite has them too."""
        return Asked(text, self.normal_form(plan), plan, names)

    def plan(self, query: Statement) -> tuple[Node, Bound]:
        bound = bind(query, self, self.tick_seconds)
        return (keep_full_points(bound.plan) if query.emit_full else bound.plan), bound

    def normal_form(self, plan: Node) -> Query:
        read = {i for node in walk(plan) for e in expressions_of(node) for i in columns_in(e)}
        read |= {c.id for c in plan.columns}
        # The numbers are the query's own, so that a query that is asked again is the same query.
        numbers = count(1)
        return simplify(normal_form(plan, lambda scan: self._inline(scan, read, numbers)), Facts(self), Effort())

    def _inline(self, scan: Scan, read: set[str], numbers: Iterator[int]) -> Query | None:
        """A view's definition in its place, where that is the same at every point (Corollary 1).

        Under a coarser stream than the view's own all points are full ones, so the inputs can be read under it. Under
        a finer one nothing happens between the view's points. The hidden TS of a view is when its row came out; that
        is no function of the inputs' relations, so a query that reads it needs the view itself.
        """
        view = self.views.get(scan.name.lower())
        if scan.kind != "view" or view is None or (scan.ts is not None and scan.ts.id in read):
            return None
        inner = syncs(view.query)
        if all(_within(scan.sync, s) for s in inner):
            query = with_sync(view.query, scan.sync)
        elif all(_within(s, scan.sync) for s in inner):
            query = view.query
        else:
            return None
        number = next(numbers)
        return map_columns(query, lambda c: replace(c, id=f"{c.id}~{number}"))


def _within(one: Sync, other: Sync) -> bool:
    if one == other or other.is_clock:
        return True
    return (
        isinstance(one.points, Ticks)
        and isinstance(other.points, Ticks)
        and one.points.times.issubset(other.points.times)
    )


def _visible_key(plan: Node, bound: Bound, labels: tuple[str, ...]) -> tuple[str, ...] | None:
    key = key_of(plan)
    by = {c.id: label for c, label in zip(bound.columns, labels, strict=True)}
    return tuple(by[c.id] for c in key) if key is not None and all(c.id in by for c in key) else None
