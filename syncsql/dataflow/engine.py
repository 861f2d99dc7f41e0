"""A database: its catalog, its pushes and its advances.

An advance is numbered. It writes its intent, every table commits at most once for the number, then it is marked done.
After a crash, or an error in a view, the last intent without a mark is run again; tables that have the number are
left as they are. One writer at a time; readers need no lock.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from threading import RLock
from typing import Any

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql.types import StructType

from syncsql.algebra.binder import bind
from syncsql.algebra.clock import now_row_of, points_of, reads_clock
from syncsql.algebra.relations import Node
from syncsql.algebra.serial import shape
from syncsql.dataflow.advancing import Advanced, Progress, carry_out
from syncsql.dataflow.diagnosis import Diagnosis, is_storable, spark_message
from syncsql.dataflow.entries import Entries, execution_text
from syncsql.dataflow.ingest import Ingest, Pushed, void_unfinished_push
from syncsql.dataflow.memory import Memory
from syncsql.dataflow.parts import over_part, part_plan
from syncsql.dataflow.planning import Planned, Planner, Wanted, unshared
from syncsql.dataflow.registry import Entry, Registry, Source, Stream, View
from syncsql.dataflow.run import Runner, row_of
from syncsql.dataflow.tagging import tag_slice, void_rejected
from syncsql.dataflow.ticks import a_tick
from syncsql.dataflow.view import Continuous, Execution
from syncsql.errors import BindError, EngineError, StorageError, UnsupportedError, did_you_mean
from syncsql.language import CreateStream, CreateView, Drop, Query, RegisterSource, parse_statement
from syncsql.storage.journal import Advance, AdvanceTable, CatalogTable, Event
from syncsql.storage.lock import WriterLock
from syncsql.storage.scratch import commit
from syncsql.storage.sessions import Sessions

# How many shapes of plans the types are remembered of.
_REMEMBERED = 10_000


class Engine:
    def __init__(
        self, root: Path, sessions: Sessions, tick_seconds: Fraction | None, read_only: bool,
        planner: Callable[[Engine], Planner] = unshared,
    ) -> None:  # fmt: skip
        self.root = root
        self.sessions = sessions
        self.read_only = read_only
        self._is_closed = False
        self._guard = RLock()
        self._types: dict[tuple[str, tuple[str, ...]], StructType] = {}
        self._lock = None if read_only else WriterLock(root)
        try:
            self._catalog, self._advances = CatalogTable(root), AdvanceTable(root)
            if not read_only:
                self._catalog.table.create()
                self._advances.table.create()
            elif not (root / "_catalog" / "_delta_log").exists():
                raise StorageError(
                    "DATABASE.MISSING", f"{root} holds no database", hint="connect(path) and syncsql run make one"
                )
            self.registry = Registry()
            self.tick_seconds = self._settings(tick_seconds)
            self.runner = Runner(sessions, self.registry.feeds)
            self._entries = Entries(root, self.registry, self.runner, self.tick_seconds)
            self._replay()
            self.planner = planner(self)
            self._seen = self._advances.last()
            if not read_only:
                self._clean()
                self._resume()
        except BaseException:
            self.close()
            raise

    def _resume(self) -> None:
        """Runs an advance that was not carried out. Where a view fails again the database opens all the same, so that
        the view can be replaced or dropped; the next advance says it again."""
        if self._seen is not None and self._seen.status != "done":
            try:
                self._perform(self._seen, None)
            except EngineError as error:
                if error.code != "ADVANCE.FAILED":
                    raise

    def close(self) -> None:
        self._is_closed = True
        self.sessions.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # Time

    @property
    def closed(self) -> int:
        """The time up to which every point is computed; −1 before the first advance."""
        last = self._seen
        if last is None:
            return -1
        return last.end if last.status == "done" else last.start

    @property
    def number(self) -> int:
        """The number of the last advance. What is made between two advances belongs to it."""
        return 1 if self._seen is None else self._seen.number

    def advances(self) -> list[Advance]:
        return self._advances.all()

    def refresh(self) -> None:
        """Lets a reader see what the writer has done since."""
        self._check_open()
        if self.read_only:
            with self._guard:
                events = len(self._events)
                self._catalog.table.refresh()
                self._advances.table.refresh()
                self._seen = self._advances.last()
                if len(self._catalog.events()) != events:
                    self._replay()
                for feed in self.registry.feeds.values():
                    feed.refresh()

    # The catalog

    def _settings(self, tick_seconds: Fraction | None) -> Fraction:
        events = self._catalog.events()
        if events:
            kept = Fraction(events[0].sql)
            if tick_seconds is not None and tick_seconds != kept:
                raise StorageError(
                    "DATABASE.TICK", f"database {self.root} has ticks of {kept} s, not {tick_seconds} s",
                    hint="the tick is chosen when a database is made",
                )  # fmt: skip
            return kept
        chosen = Fraction(1) if tick_seconds is None else tick_seconds
        self._catalog.append(Event(0, "create", "database", "tick_seconds", str(chosen), "", -1))
        return chosen

    def _replay(self) -> None:
        self._events = self._catalog.events()
        for entry in self.registry:
            self.registry.remove(entry.name)
        for event in self._events[1:]:
            if event.event == "drop":
                self.registry.remove(event.name)
            elif event.event == "replan":
                self.registry.add(self._entries.replanned(event))
            else:
                self.registry.add(self._entries.of(event))

    def _record(self, event: str, kind: str, entry: Entry, sql: str, row: StructType | None = None) -> None:
        created, runs = self.closed, None
        if isinstance(entry, View):
            created = entry.created
            plain = Execution(entry.continuous.plan, entry.directory)
            as_written = event != "replan" and entry.execution == plain
            runs = None if as_written and not entry.is_part else execution_text(entry.execution)
        made = Event(
            len(self._events), event, kind, entry.name, sql, entry.directory, created,
            row.json() if row else None, runs,
        )  # fmt: skip
        self._catalog.append(made)
        self._events.append(made)

    def _writing(self) -> None:
        self._check_open()
        if self.read_only:
            raise StorageError("DATABASE.READ_ONLY", f"database {self.root} was opened for reading only")

    def _check_open(self) -> None:
        if self._is_closed:
            raise StorageError("DATABASE.CLOSED", f"database {self.root} is closed", hint="connect to it again")

    def _free(self, name: str, statement: Any) -> None:
        taken = self.registry.get(name)
        if taken is not None or name.lower() == "clockstr":
            raise BindError(
                "CATALOG.EXISTS",
                f"`{name}` is " + ("built in" if taken is None else f"a {_kind(taken)} already"),
                text=statement.text,
                span=statement.name_span,
                hint="choose another name" + ("" if taken is None else ", or drop it first"),
            )

    def create_source(self, statement: RegisterSource) -> Source:
        with self._guard:
            self._writing()
            self._free(statement.name, statement)
            source = self._entries.source(statement, self.registry.directory(statement.name))
            source.create()
            self._record("create", "source", source, _text(statement))
            self.registry.add(source)
            return source

    def create_stream(self, statement: CreateStream) -> Stream:
        """The stream starts with all tuples that its source has kept, as if it had been there from the beginning."""
        with self._guard:
            self._writing()
            self._free(statement.name, statement)
            stream = self._entries.stream(statement, self.registry.directory(statement.name), self.closed)
            try:
                stream.stored.create()
                tag_slice(stream, -1, self._tagged_to, self.number, self.sessions, history=True)
            except Exception:
                self._erase(stream)
                raise
            self._record("create", "stream", stream, _text(statement))
            self.registry.add(stream)
            return stream

    @property
    def _tagged_to(self) -> int:
        """The time up to which tuples are tagged: that of an intent that could not be carried out counts too."""
        return -1 if self._seen is None else self._seen.end

    def create_view(self, statement: CreateView) -> View:
        with self._guard:
            self._writing()
            old = self.registry.get(statement.name)
            if not (statement.replace and isinstance(old, View)):
                self._free(statement.name, statement)
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
                self._replan_without(old)
            view, planned = self._planned(statement, continuous, row)
            if view.stored is not None:
                self._start(view)
            self._record("create", "view", view, _text(statement), row)
            self.registry.add(view)
            if isinstance(old, View):
                self.planner.dropped(old)
                self._erase(old)
                self._drop_unused_parts()
            self.planner.made(view, planned, "created")
            return view

    def _planned(
        self, statement: CreateView, continuous: Continuous, row: StructType | None, root: Path | None = None
    ) -> tuple[View, Planned]:
        """The view of a statement, computed as the planner wants it; ``root`` is that of a query."""
        directory = "query" if root is not None else self.registry.directory(statement.name)
        planned = Planned(continuous.plan, False)
        if row is not None:
            avoid = {statement.name.lower()} if root is None else set()
            wanted = Wanted(statement.name, statement.query, continuous, row, self.closed, statement.keeping, avoid)
            planned = self._checked(self.planner.plan(wanted), continuous, row)
            planned = self._with_part(planned) if root is None else planned
        execution = Execution(planned.plan, directory, planned.virtual)
        return self._entries.view(statement, continuous, execution, row, directory, self.closed, root), planned

    def _checked(self, planned: Planned, continuous: Continuous, row: StructType) -> Planned:
        """A plan that Spark does not compute with the same types is not used, whatever was proved of it."""
        if planned.plan == continuous.plan:
            return planned
        try:
            same = self._typed(continuous, planned.plan) == row
        except (AnalysisException, UnsupportedError):
            same = False
        return planned if same else replace(planned, plan=continuous.plan, virtual=False)

    def _replan_without(self, gone: View) -> None:
        """Finds another way for the views that are computed from ``gone`` without naming it."""
        for view in self.registry.runs_on(gone.name):
            self._replan(view, gone.name.lower())

    def _replan(self, view: View, without: str) -> None:
        assert view.feed is not None
        query = parse_statement(view.definition.sql)
        assert isinstance(query, Query)
        avoid = {without, *self.registry.above(view.name)}
        wanted = Wanted(view.name, query, view.continuous, view.feed.row, view.created, None, avoid)
        planned = self._checked(self.planner.plan(wanted), view.continuous, view.feed.row)
        self._exchange(view, self._with_part(planned), f"`{without}` goes")

    def _exchange(self, view: View, planned: Planned, why: str) -> None:
        """Computes ``view`` in another way from now on; its stream goes on as if nothing had happened."""
        pending = self._is_pending
        if pending and view.stored is not None and view.stored.log.number() >= self.number:
            raise EngineError(
                "ADVANCE.PENDING", f"{why}, and view `{view.name}`, which is computed from it, is in the midst of an "
                "advance", hint="advance again first; a view that fails can be replaced or dropped before",
            )  # fmt: skip
        directory = self.registry.directory(view.name)
        virtual = planned.virtual and view.execution.virtual
        new = replace(view, execution=Execution(planned.plan, directory, virtual), memory=Memory())
        if not virtual:
            self._build(new, view, self.number - pending)
        self._record("replan", "view", new, view.definition.sql)
        self._forget(view)
        # In place, since handles hold the view; a virtual feed derives from what its view says.
        view.execution, view.memory, view.feed, view.directory = new.execution, new.memory, new.feed, new.directory
        self.registry.add(view)
        self.planner.made(view, planned, "replanned")

    @property
    def _is_pending(self) -> bool:
        """Whether an advance was begun that could not be carried out yet."""
        return self._seen is not None and self._seen.status != "done"

    def _with_part(self, planned: Planned) -> Planned:
        """The plan over the part that it has in common with other views, which is made, and read by them too."""
        if planned.part is None or self._is_pending:
            return planned
        directory = self.registry.directory("_part")
        plan = part_plan(planned.part)
        execution = Execution(plan, directory)
        row = self._typed(Continuous(plan, plan, plan.columns, len(plan.columns)), plan)
        part = self._entries.part(directory.replace("~", "_"), execution, row, directory, self.closed)
        self._start(part)
        self._record("create", "part", part, part.definition.sql, row)
        self.registry.add(part)
        for view in planned.users:
            self._exchange(
                view, Planned(over_part(view.execution.plan, part), False, why=planned.why), "a part of it is shared"
            )
        return replace(planned, plan=over_part(planned.plan, part), part=None, users=())

    def _drop_unused_parts(self) -> None:
        for part in self.registry.parts():
            if not any(part.name.lower() in v.execution.inputs for v in self.registry.computed()):
                self._record("drop", "part", part, part.definition.sql)
                self.registry.remove(part.name)
                self._erase(part)

    def _build(self, new: View, old: View, number: int) -> None:
        """What ``new`` remembers, and the stream until now of a view that was virtual."""
        assert old.feed is not None
        if old.execution.virtual:
            new.directory = new.execution.memory
            new.feed = self._entries.feed(new, old.feed.row)
        assert new.stored is not None
        new.stored.create()
        if self.closed < 0:
            return
        if old.execution.virtual:
            with self.sessions.scratch(old.feed.size(self.closed), old.feed.lines(None, self.closed)) as scratch:
                commit(new.stored.log, old.feed.changes(scratch, None, self.closed), number, scratch)
        self.runner.rebuild(new, new.execution, self.closed, number)

    def _bound(self, query: Query) -> Continuous:
        return Continuous.of(query, self.registry, self.tick_seconds)

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
            self._types[known] = row_of(continuous, plan, self.registry.feeds, self.sessions, self.root)
        return self._types[known]

    def _diagnosis(self, query: Query) -> Diagnosis:
        bound = bind(query, self.registry, self.tick_seconds)
        return Diagnosis(query, bound, self.registry.feeds, self.sessions.scratch(0))

    def _start(self, view: View) -> None:
        """A view whose first point is the present has its first answer at once. The number of an advance that could
        not be carried out is not taken: the view takes part when it is."""
        assert view.stored is not None
        try:
            view.stored.create()
            if self.closed >= 0:
                number = self.number - self._is_pending
                self.runner.run(view, self.closed - 1, self.closed, number)
        except Exception as error:
            self._erase(view)
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
                entry = self.registry.get(name)
                todo += entry.inputs if isinstance(entry, View) else ()
        if statement.name.lower() in reached:
            raise BindError(
                "VIEW.CYCLE", f"view `{statement.name}` would read itself", text=statement.text,
                span=statement.name_span,
            )  # fmt: skip

    def _check_replacement(self, statement: CreateView, old: View) -> None:
        """Who reads a view keeps the columns that it was made with."""
        readers = self.registry.dependents(old.name)
        if readers:
            raise BindError(
                "VIEW.HAS_READERS", f"view `{old.name}` cannot be replaced: it is read by {_list(readers)}",
                text=statement.text, span=statement.name_span, hint="drop them first, or choose another name",
            )  # fmt: skip

    def query(self, query: Query, root: Path) -> View:
        """A query as a view that is kept outside the database, at ``root``."""
        with self._guard:
            self._check_open()
            continuous = self._bound(query)
            row = self._row(query, continuous)
            statement = CreateView(query.sql, query.mode, query, text=query.text, span=query.span)
            view, _ = self._planned(statement, continuous, row, root)
            if view.stored is not None:
                view.stored.create()
            return view

    def drop(self, statement: Drop) -> None:
        with self._guard:
            self._writing()
            entry = self.registry.get(statement.name)
            kind = statement.kind.capitalize()
            if entry is None or type(entry).__name__ != kind:
                if statement.if_exists:
                    return
                known = [e.name for e in self.registry if type(e).__name__ == kind]
                hint = did_you_mean(statement.name, known)
                if entry is not None:
                    hint = f"it is a {_kind(entry)}: DROP {_kind(entry).upper()} {entry.name}"
                elif statement.name.lower() == "clockstr":
                    hint = "clockStr is built in"
                raise BindError(
                    "CATALOG.UNKNOWN", f"there is no {statement.kind.lower()} `{statement.name}`",
                    text=statement.text, span=statement.name_span, hint=hint,
                )  # fmt: skip
            readers = self.registry.dependents(entry.name)
            if readers:
                raise BindError(
                    "CATALOG.IN_USE", f"{statement.kind.lower()} `{entry.name}` is read by {_list(readers)}",
                    text=statement.text, span=statement.name_span, hint="drop what reads it first",
                )  # fmt: skip
            if isinstance(entry, View):
                self._replan_without(entry)
            self._record("drop", statement.kind.lower(), entry, _text(statement))
            self.registry.remove(entry.name)
            if isinstance(entry, View):
                self.planner.dropped(entry)
            self._erase(entry)
            self._drop_unused_parts()

    def _erase(self, entry: Entry) -> None:
        if isinstance(entry, Source):
            entry.drop()
        elif isinstance(entry, Stream):
            # First, because the directory tells :meth:`_clean` that something is left to do.
            self._void_rejected(entry.source)
            entry.stored.drop()
        elif entry.stored is not None:
            entry.stored.drop()
        if isinstance(entry, View):
            self._forget(entry)

    def _forget(self, view: View) -> None:
        """Takes away what the operators of ``view`` remember."""
        for kind in ("states", "pending"):
            shutil.rmtree(self.root / kind / view.execution.memory, ignore_errors=True)

    def _void_rejected(self, source: Source) -> None:
        void_rejected(source, {s.name.lower() for s in self.registry.streams() if s.source is source})

    def _clean(self) -> None:
        """Takes away what a crash left behind: directories that the catalog does not name, what was quarantined for
        streams that it does not name, pushes half done."""
        used = self.registry.directories()
        streams = self.root / "streams"
        if streams.exists() and any(path.name not in used for path in streams.iterdir()):
            for source in self.registry.sources():
                self._void_rejected(source)
        for kind in ("sources", "quarantine", "streams", "relations", "states", "pending"):
            home = self.root / kind
            for path in home.iterdir() if home.exists() else ():
                if path.name not in used:
                    shutil.rmtree(path, ignore_errors=True)
        for source in self.registry.sources():
            void_unfinished_push(source)

    # Data

    def push(self, name: str, rows: Any, at: int | None) -> Pushed:
        with self._guard:
            self._writing()
            source = self.registry.source(name)
            streams = [s for s in self.registry.streams() if s.source is source]
            return Ingest(source, streams, self._tagged_to, self.tick_seconds).push(rows, at)

    def advance(self, to: int, progress: Progress | None) -> Advanced:
        to = a_tick("to", to)
        with self._guard:
            self._writing()
            if self._is_pending:
                assert self._seen is not None
                late = self._perform(self._seen, progress)
                if to == late.end:
                    return late
            if to <= self.closed:
                raise EngineError(
                    "ADVANCE.BACKWARD", f"time is at {self.closed} and does not go back to {to}",
                    hint=f"advance to {self.closed + 1} or later",
                )  # fmt: skip
            intent = Advance(self.number + 1, self.closed, to, "intent")
            self._advances.append(intent)
            self._seen = intent
            return self._perform(intent, progress)

    def _perform(self, advance: Advance, progress: Progress | None) -> Advanced:
        carried = carry_out(advance, self.registry, self.runner, self.sessions, progress)
        done = Advance(advance.number, advance.start, advance.end, "done")
        self._advances.append(done)
        self._seen = done
        self.planner.advanced(carried)
        return carried


def _is_same(old: View, statement: CreateView, continuous: Continuous) -> bool:
    """Whether a replacement would change nothing."""
    kept = "VIRTUAL" if old.execution.virtual else "MATERIALIZED"
    same = old.definition.mode == statement.mode and old.continuous == continuous
    return same and statement.keeping in (None, kept)


def _is_clock_view(plan: Node) -> bool:
    return points_of(plan) is not None or now_row_of(plan) is not None


def _kind(entry: Entry) -> str:
    return type(entry).__name__.lower()


def _text(statement: Any) -> str:
    return str(statement.text[statement.span.start : statement.span.end])


def _list(names: list[str]) -> str:
    return ", ".join(f"`{n}`" for n in names)
