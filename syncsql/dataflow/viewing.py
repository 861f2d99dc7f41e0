"""Views of a database: how one is made, replaced, and computed in another way than before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql.types import StructType

from syncsql.algebra.binder import bind
from syncsql.algebra.clock import now_row_of, points_of, reads_clock
from syncsql.algebra.relations import Node, scans
from syncsql.algebra.serial import shape
from syncsql.dataflow.diagnosis import Diagnosis, is_storable, spark_message
from syncsql.dataflow.memory import Memory
from syncsql.dataflow.parts import over_part, part_plan
from syncsql.dataflow.planning import Planned, Shown, Wanted
from syncsql.dataflow.registry import View
from syncsql.dataflow.run import row_of
from syncsql.dataflow.view import Continuous, Execution
from syncsql.errors import BindError, EngineError, UnsupportedError
from syncsql.language import CreateView, Query, parse_statement
from syncsql.storage.scratch import commit

if TYPE_CHECKING:
    from syncsql.dataflow.engine import Engine

# How many shapes of plans the types are remembered of.
_REMEMBERED = 10_000


class Views:
    """Makes the views of an engine, which keeps the catalog and says when something may be written."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._types: dict[tuple[str, tuple[str, ...]], StructType] = {}

    def create(self, statement: CreateView) -> View:
        old = self._engine.registry.get(statement.name)
        if statement.if_not_exists and isinstance(old, View):
            return old
        if not (statement.replace and isinstance(old, View)):
            self._engine.free(statement.name, statement)
        continuous = self._bound(statement.query)
        if continuous.duplicate is not None:
            raise BindError(
                "VIEW.DUPLICATE_COLUMN", f"view `{statement.name}` would have two columns `{continuous.duplicate}`",
                text=statement.text, span=statement.name_span, hint="give one of them another name with AS",
            )  # fmt: skip
        if old is not None:
            self._no_cycle(statement, continuous)
        if isinstance(old, View):
            self._check_replacement(statement, old)
        if isinstance(old, View) and _is_same(old, statement, continuous):
            return old
        row = self._row(statement.query, continuous)
        if isinstance(old, View):
            self.replan_without(old)
        view, planned = self._planned(statement, continuous, row)
        if view.stored is not None:
            self._start(view)
        self._engine.record("create", "view", view, text_of(statement), row)
        self._engine.registry.add(view)
        if isinstance(old, View):
            self._engine.planner.dropped(old)
            self._engine.erase(old)
            self.drop_unused_parts()
        self._engine.planner.made(view, planned, "created")
        return view

    def query(self, query: Query, root: Path) -> tuple[View, Shown | None]:
        """A query as a view that is kept outside the database, at ``root``, and why it is computed as it is."""
        continuous = self._bound(query)
        row = self._row(query, continuous)
        statement = CreateView(query.sql, query.mode, query, text=query.text, span=query.span)
        view, planned = self._planned(statement, continuous, row, root)
        if view.stored is not None:
            view.stored.create()
        return view, self._engine.planner.why(view, planned)

    def _planned(
        self, statement: CreateView, continuous: Continuous, row: StructType | None, root: Path | None = None
    ) -> tuple[View, Planned]:
        """The view of a statement, computed as the planner wants it; ``root`` is that of a query."""
        directory = "query" if root is not None else self._engine.registry.directory(statement.name)
        now = self._engine.closed
        planned = Planned(continuous.plan, False)
        if row is not None:
            avoid = {statement.name.lower()} if root is None else set()
            wanted = Wanted(statement.name, statement.query, continuous, row, now, statement.keeping, avoid)
            planned = self._checked(self._engine.planner.plan(wanted), continuous, row)
            planned = self._with_part(planned) if root is None else planned
        # What is made from the time alone has no end and is never stored.
        timeless = all(s.kind == "clock" for s in scans(planned.plan))
        execution = Execution(planned.plan, directory, planned.virtual or timeless)
        view = self._engine.entries.view(statement, continuous, execution, row, directory, now, root)
        return view, planned

    def _checked(self, planned: Planned, continuous: Continuous, row: StructType) -> Planned:
        """A plan that Spark does not compute with the same types is not used, whatever was proved of it."""
        if planned.plan == continuous.plan:
            return planned
        try:
            same = self._typed(continuous, planned.plan) == row
        except (AnalysisException, UnsupportedError):
            same = False
        return planned if same else replace(planned, plan=continuous.plan, virtual=False)

    def replan_without(self, gone: View) -> None:
        """Finds another way for the views that are computed from ``gone`` without naming it, or from a part that is."""
        registry = self._engine.registry
        going = {gone.name.lower()}
        while more := {p.name.lower() for p in registry.parts() if p.needs & going} - going:
            going |= more
        for view in registry.views():
            if view.execution.inputs & going and gone.name.lower() not in view.inputs:
                self._replan(view, going)

    def _replan(self, view: View, without: set[str]) -> None:
        assert view.feed is not None
        query = parse_statement(view.definition.sql)
        assert isinstance(query, Query)
        avoid = without | self._engine.registry.above(view.name)
        wanted = Wanted(view.name, query, view.continuous, view.feed.row, view.created, None, avoid)
        planned = self._checked(self._engine.planner.plan(wanted), view.continuous, view.feed.row)
        self._exchange(view, self._with_part(planned), "what it is computed from goes")

    def _exchange(self, view: View, planned: Planned, why: str) -> None:
        """Computes ``view`` in another way from now on; its stream goes on as if nothing had happened."""
        pending = self._engine.is_pending
        if pending and view.stored is not None and view.stored.log.number() >= self._engine.number:
            raise EngineError(
                "ADVANCE.PENDING", f"view `{view.name}` is in the midst of an advance, and {why}",
                hint="advance again first; a view that fails can be replaced or dropped before",
            )  # fmt: skip
        directory = self._engine.registry.directory(view.name)
        virtual = planned.virtual and view.execution.virtual
        new = replace(view, execution=Execution(planned.plan, directory, virtual), memory=Memory())
        if not virtual:
            self._build(new, view, self._engine.number - pending)
        self._engine.record("replan", "view", new, view.definition.sql)
        self._engine.forget(view)
        # In place, since handles hold the view; a virtual feed derives from what its view says.
        view.execution, view.memory, view.feed, view.directory = new.execution, new.memory, new.feed, new.directory
        self._engine.registry.add(view)
        self._engine.planner.made(view, planned, "replanned")

    def _with_part(self, planned: Planned) -> Planned:
        """The plan over the part that it has in common with other views, which is made, and read by them too."""
        if planned.part is None or self._engine.is_pending:
            return planned
        directory = self._engine.registry.directory("_part")
        plan = part_plan(planned.part)
        execution = Execution(plan, directory)
        row = self._typed(Continuous(plan, plan, plan.columns, len(plan.columns)), plan)
        part = self._engine.entries.part(directory.replace("~", "_"), execution, row, directory, self._engine.closed)
        self._start(part)
        self._engine.record("create", "part", part, part.definition.sql, row)
        self._engine.registry.add(part)
        for view in planned.users:
            self._exchange(
                view, Planned(over_part(view.execution.plan, part), False, why=planned.why), "a part of it is shared"
            )
        return replace(planned, plan=over_part(planned.plan, part), part=None, users=())

    def drop_unused_parts(self) -> None:
        for part in self._engine.registry.parts():
            if not any(part.name.lower() in v.execution.inputs for v in self._engine.registry.computed()):
                self._engine.record("drop", "part", part, part.definition.sql)
                self._engine.registry.remove(part.name)
                self._engine.erase(part)

    def _build(self, new: View, old: View, number: int) -> None:
        """What ``new`` remembers, and the stream until now of a view that was virtual."""
        assert old.feed is not None
        if old.execution.virtual:
            new.directory = new.execution.memory
            new.feed = self._engine.entries.feed(new, old.feed.row)
        assert new.stored is not None
        new.stored.create()
        now = self._engine.closed
        if now < 0:
            return
        if old.execution.virtual:
            kept = old.feed.kept
            with self._engine.sessions.scratch(old.feed.size(now), old.feed.lines(kept, now)) as scratch:
                if kept is not None:
                    new.stored.begin(scratch, old.feed, kept, number)
                commit(new.stored.log, old.feed.changes(scratch, kept, now), number, scratch)
        self._engine.runner.rebuild(new, new.execution, now, number)

    def _bound(self, query: Query) -> Continuous:
        return Continuous.of(query, self._engine.registry, self._engine.tick_seconds)

    def _row(self, query: Query, continuous: Continuous) -> StructType | None:
        if reads_clock(continuous.plan) and _is_clock_view(continuous.plan):
            return None
        try:
            row = self._typed(continuous, continuous.plan)
        except (AnalysisException, UnsupportedError) as error:
            raise self._diagnosis(query).of(error) from None
        if not is_storable(row):
            raise self._diagnosis(query).not_storable(row)
        return row

    def _typed(self, continuous: Continuous, plan: Node) -> StructType:
        """The columns that ``plan`` gives to a view; Spark is asked once for plans that differ in constants alone."""
        known = (shape(plan), tuple(continuous.names))
        if known not in self._types:
            if len(self._types) >= _REMEMBERED:
                self._types.clear()
            self._types[known] = row_of(
                continuous, plan, self._engine.registry.feeds, self._engine.sessions, self._engine.root
            )
        return self._types[known]

    def _diagnosis(self, query: Query) -> Diagnosis:
        bound = bind(query, self._engine.registry, self._engine.tick_seconds)
        return Diagnosis(query, bound, self._engine.registry.feeds, self._engine.sessions.scratch(0))

    def _start(self, view: View) -> None:
        """A view whose first point is the present has its first answer at once. The number of an advance that could
        not be carried out is not taken: the view takes part when it is."""
        assert view.stored is not None
        try:
            view.stored.create()
            if self._engine.closed >= 0:
                number = self._engine.number - self._engine.is_pending
                self._engine.runner.run(view, self._engine.closed - 1, self._engine.closed, number)
        except Exception as error:
            self._engine.erase(view)
            if not isinstance(error, PySparkException):
                raise
            raise EngineError(
                "VIEW.FAILED", f"view `{view.name}` cannot be made, its first answer fails: {spark_message(error)}",
                hint="nothing has changed; guard the expression, for example with try_divide or TRY_CAST",
            ) from error  # fmt: skip

    def _no_cycle(self, statement: CreateView, continuous: Continuous) -> None:
        reached, todo = set(), list(continuous.inputs)
        while todo:
            name = todo.pop()
            if name not in reached:
                reached.add(name)
                entry = self._engine.registry.get(name)
                todo += entry.inputs if isinstance(entry, View) else ()
        if statement.name.lower() in reached:
            raise BindError(
                "VIEW.CYCLE", f"view `{statement.name}` would read itself", text=statement.text,
                span=statement.name_span,
            )  # fmt: skip

    def _check_replacement(self, statement: CreateView, old: View) -> None:
        """Who reads a view keeps the columns that it was made with."""
        readers = self._engine.registry.dependents(old.name)
        if readers:
            raise BindError(
                "VIEW.HAS_READERS", f"view `{old.name}` cannot be replaced: it is read by {listed_names(readers)}",
                text=statement.text, span=statement.name_span, hint="drop them first, or choose another name",
            )  # fmt: skip


def _is_same(old: View, statement: CreateView, continuous: Continuous) -> bool:
    """Whether a replacement would change nothing."""
    kept = "VIRTUAL" if old.execution.virtual else "MATERIALIZED"
    same = old.definition.mode == statement.mode and old.continuous == continuous
    return same and statement.keeping in (None, kept)


def _is_clock_view(plan: Node) -> bool:
    return points_of(plan) is not None or now_row_of(plan) is not None


def text_of(statement: Any) -> str:
    return str(statement.text[statement.span.start : statement.span.end])


def listed_names(names: list[str]) -> str:
    return ", ".join(f"`{n}`" for n in names)
