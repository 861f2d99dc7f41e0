"""Entries of the registry, made from statements: when they are run, and when a catalog is opened again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from pyspark.sql.types import StructType

from syncsql.algebra.catalog import Field, ViewDef
from syncsql.algebra.clock import now_row_of, points_of
from syncsql.algebra.declarations import source_of, stream_of
from syncsql.algebra.serial import from_json, to_json
from syncsql.algebra.skin import expression
from syncsql.dataflow.registry import Entry, Registry, Source, Stream, View
from syncsql.dataflow.run import Runner
from syncsql.dataflow.view import Continuous, Execution
from syncsql.dataflow.virtual import Virtual
from syncsql.language import CreateStream, CreateView, RegisterSource, parse_statement
from syncsql.storage.feed import Feed
from syncsql.storage.journal import Event
from syncsql.storage.stored import Stored


@dataclass(frozen=True)
class Entries:
    """Makes the entries of one database."""

    root: Path
    registry: Registry
    runner: Runner
    tick_seconds: Fraction

    def of(self, event: Event) -> Entry:
        """What an event of the catalog made."""
        if event.kind == "part":
            assert event.row is not None
            assert event.runs is not None
            row = StructType.fromJson(json.loads(event.row))
            return self.part(event.name, execution_of(event.runs), row, event.directory, event.created)
        statement = parse_statement(event.sql)
        if isinstance(statement, RegisterSource):
            return self.source(statement, event.directory)
        if isinstance(statement, CreateStream):
            return self.stream(statement, event.directory, event.created)
        assert isinstance(statement, CreateView)
        continuous = Continuous.of(statement.query, self.registry, self.tick_seconds)
        given = StructType.fromJson(json.loads(event.row)) if event.row else None
        execution = execution_of(event.runs) if event.runs else Execution(continuous.plan, event.directory)
        return self.view(statement, continuous, execution, given, event.directory, event.created)

    def replanned(self, event: Event) -> View:
        """The view of an event that changed how it is computed. What it means was said when it was made: a stream that
        it is synchronized by may be another one now."""
        view = self.registry.get(event.name)
        assert isinstance(view, View)
        assert view.feed is not None
        assert event.runs is not None
        row = view.feed.row
        view.directory, view.execution = event.directory, execution_of(event.runs)
        view.feed = self.feed(view, row)
        return view

    def source(self, statement: RegisterSource, directory: str) -> Source:
        not_null = frozenset(c.name for c in statement.columns if not c.nullable)
        return Source(source_of(statement), self.root, directory, not_null)

    def stream(self, statement: CreateStream, directory: str, created: int) -> Stream:
        definition = stream_of(statement, self.registry)
        return Stream(definition, self.registry.source(definition.source), self.root, directory, created)

    def view(
        self, statement: CreateView, continuous: Continuous, execution: Execution, row: StructType | None,
        directory: str, created: int, root: Path | None = None,
    ) -> View:  # fmt: skip
        """``row`` has the columns with Spark's types; a view over the clock alone has none. ``root`` is given for a
        query, which is kept outside the database."""
        root = self.root if root is None else root
        visible = continuous.columns[: continuous.visible]
        if row is None:
            fields = tuple(Field(c.name, c.type or "BIGINT") for c in visible)
            definition = ViewDef(
                statement.name, statement.query.sql, statement.mode, fields, None, False, False,
                points_of(continuous.plan), now_row_of(continuous.plan),
            )  # fmt: skip
            return View(definition, continuous, execution, None, root, directory, -1)
        types = [row[n].dataType.simpleString().upper() for n in continuous.names[: continuous.visible]]
        fields = tuple(Field(label, type_) for label, type_ in zip(continuous.labels, types, strict=True))
        definition = ViewDef(
            statement.name, statement.query.sql, statement.mode, fields,
            _visible_key(continuous), continuous.append_only,
        )  # fmt: skip
        view = View(definition, continuous, execution, None, root, directory, created)
        view.feed = self.feed(view, row)
        return view

    def part(self, name: str, execution: Execution, row: StructType, directory: str, created: int) -> View:
        """What several views have in common. It begins where they are: with what it has at ``created``."""
        plan = execution.plan
        continuous = Continuous(plan, plan, plan.columns, len(plan.columns))
        fields = tuple(
            Field(label, f.dataType.simpleString().upper())
            for label, f in zip(continuous.labels, row.fields, strict=True)
        )
        definition = ViewDef(
            name, expression(plan), "STREAMED", fields, _visible_key(continuous), continuous.append_only
        )
        view = View(definition, continuous, execution, None, self.root, directory, created, is_part=True)
        view.feed = self.feed(view, row)
        if any(self.runner.last_point(s.points, created) is not None for s in continuous.syncs):
            view.first = created
        return view

    def feed(self, view: View, row: StructType) -> Feed:
        """The tables of a view, or what derives it where its execution is virtual."""
        c = view.continuous
        labels = dict(zip(c.names[: c.visible], c.labels, strict=True))
        if view.execution.virtual:
            return Virtual(view.name, row, c.key_names, c.append_only, labels, self.runner, view)
        return Stored(view.name, row, c.key_names, c.append_only, labels, view.root, view.directory)


def execution_text(execution: Execution) -> str:
    """An execution as the catalog keeps it."""
    return json.dumps({"virtual": execution.virtual, "memory": execution.memory, "plan": to_json(execution.plan)})


def execution_of(text: str) -> Execution:
    kept = json.loads(text)
    return Execution(from_json(kept["plan"]), kept["memory"], kept["virtual"])


def _visible_key(continuous: Continuous) -> tuple[str, ...] | None:
    """The key under the names that readers know, where they see all of it."""
    labels = {c.id: label for c, label in zip(continuous.columns, continuous.labels, strict=False)}
    key = continuous.key
    return tuple(labels[c.id] for c in key) if key is not None and all(c.id in labels for c in key) else None
