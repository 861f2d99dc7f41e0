"""A database: its catalog, its pushes and its advances.

An advance is numbered. It writes its intent, every table commits at most once for the number, then it is marked done.
After a crash, or an error in a view, the last intent without a mark is run again; tables that have the number are
left as they are. One writer at a time; readers need no lock.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from fractions import Fraction
from graphlib import TopologicalSorter
from pathlib import Path
from threading import RLock
from typing import Any

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql.types import StructType

from syncsql.algebra.binder import bind
from syncsql.algebra.catalog import Field, ViewDef
from syncsql.algebra.clock import now_row_of, points_of, reads_clock
from syncsql.algebra.declarations import source_of, stream_of
from syncsql.dataflow.diagnosis import Diagnosis, is_storable, spark_message
from syncsql.dataflow.ingest import Ingest, Pushed, void_unfinished_push
from syncsql.dataflow.registry import Entry, Registry, Source, Stream, View
from syncsql.dataflow.run import Runner, row_of
from syncsql.dataflow.tagging import tag_slice, void_rejected
from syncsql.dataflow.ticks import a_tick
from syncsql.dataflow.view import Continuous
from syncsql.errors import BindError, EngineError, StorageError, UnsupportedError, did_you_mean
from syncsql.language import CreateStream, CreateView, Drop, Query, RegisterSource, parse_statement
from syncsql.storage import limits
from syncsql.storage.journal import Advance, AdvanceTable, CatalogTable, Event
from syncsql.storage.lock import WriterLock
from syncsql.storage.sessions import Sessions
from syncsql.storage.stored import Stored

Progress = Callable[[int, int, str], None]
# How many views and streams of one advance are computed at the same time.
_WORKERS = 2
_TAIL_FILES = 32


@dataclass(frozen=True)
class Advanced:
    """What an advance did: the time it closed, the lines that each stream got, what it rejected."""

    number: int
    start: int
    end: int
    lines: dict[str, int] = field(default_factory=dict)
    quarantined: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        touched = ", ".join(f"{name} {n}" for name, n in self.lines.items() if n)
        text = f"advanced to {self.end}" + (f": {touched}" if touched else "")
        why = ", ".join(f"{n} {r}" for r, n in sorted(self.quarantined.items()))
        return text + (f"; quarantined {why}" if why else "")


class Engine:
    def __init__(self, root: Path, sessions: Sessions, tick_seconds: Fraction | None, read_only: bool) -> None:
        self.root = root
        self.sessions = sessions
        self.read_only = read_only
        self._is_closed = False
        self._guard = RLock()
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
            self.runner = Runner(sessions, self.registry.stored)
            self._replay()
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
                for stored in self.registry.stored.values():
                    stored.refresh()

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
        for name in self.registry.names():
            self.registry.remove(name)
        for event in self._events[1:]:
            if event.event == "drop":
                self.registry.remove(event.name)
            else:
                self.registry.add(self._entry(event))

    def _entry(self, event: Event) -> Entry:
        statement = parse_statement(event.sql)
        if isinstance(statement, RegisterSource):
            not_null = frozenset(c.name for c in statement.columns if not c.nullable)
            return Source(source_of(statement), self.root, event.directory, not_null)
        if isinstance(statement, CreateStream):
            definition = stream_of(statement, self.registry)
            return Stream(
                definition, self.registry.source(definition.source), self.root, event.directory, event.created
            )
        assert isinstance(statement, CreateView)
        continuous = Continuous.of(statement.query, self.registry, self.tick_seconds)
        row = StructType.fromJson(json.loads(event.row)) if event.row else None
        return _view(statement, continuous, row, self.root, event.directory, event.created)

    def _record(self, event: str, kind: str, entry: Entry, sql: str, row: StructType | None = None) -> None:
        made = Event(
            len(self._events), event, kind, entry.name, sql, entry.directory, self.closed, row.json() if row else None
        )
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
            not_null = frozenset(c.name for c in statement.columns if not c.nullable)
            source = Source(source_of(statement), self.root, self.registry.directory(statement.name), not_null)
            source.create()
            self._record("create", "source", source, _text(statement))
            self.registry.add(source)
            return source

    def create_stream(self, statement: CreateStream) -> Stream:
        """The stream starts with all tuples that its source has kept, as if it had been there from the beginning."""
        with self._guard:
            self._writing()
            self._free(statement.name, statement)
            definition = stream_of(statement, self.registry)
            directory = self.registry.directory(statement.name)
            source = self.registry.source(definition.source)
            stream = Stream(definition, source, self.root, directory, self.closed)
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
            row = self._row(statement.query, continuous)
            directory = self.registry.directory(statement.name)
            view = _view(statement, continuous, row, self.root, directory, self.closed)
            if view.stored is not None:
                self._start(view)
            self._record("create", "view", view, _text(statement), row)
            self.registry.add(view)
            if isinstance(old, View):
                self._erase(old)
            return view

    def _bound(self, query: Query) -> Continuous:
        return Continuous.of(query, self.registry, self.tick_seconds)

    def _row(self, query: Query, continuous: Continuous) -> StructType | None:
        if reads_clock(continuous.plan) and _is_clock_view(continuous):
            return None
        try:
            row = row_of(continuous, self.registry.stored, self.sessions, self.root)
        except (AnalysisException, UnsupportedError) as error:
            raise self._diagnosis(query).of(error) from None
        if not is_storable(row):
            raise self._diagnosis(query).not_storable(row)
        return row

    def _diagnosis(self, query: Query) -> Diagnosis:
        bound = bind(query, self.registry, self.tick_seconds)
        return Diagnosis(query, bound, self.registry.stored, self.sessions.small)

    def _start(self, view: View) -> None:
        """A view whose first point is the present has its first answer at once. The number of an advance that could
        not be carried out is not taken: the view takes part when it is."""
        assert view.stored is not None
        try:
            view.stored.create()
            if self.closed >= 0:
                number = self.number - (self._seen is not None and self._seen.status != "done")
                self.runner.run(view, self.closed - 1, self.closed, number)
        except PySparkException as error:
            self._erase(view)
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
            view = _view(statement, continuous, row, root, "query", self.closed)
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
            self._record("drop", statement.kind.lower(), entry, _text(statement))
            self.registry.remove(entry.name)
            self._erase(entry)

    def _erase(self, entry: Entry) -> None:
        if isinstance(entry, Source):
            entry.drop()
        elif isinstance(entry, Stream):
            # First, because the directory tells :meth:`_clean` that something is left to do.
            self._void_rejected(entry.source)
            entry.stored.drop()
        elif entry.stored is not None:
            entry.stored.drop()
        for kind in ("states", "pending"):
            shutil.rmtree(self.root / kind / entry.directory, ignore_errors=True)

    def _void_rejected(self, source: Source) -> None:
        void_rejected(source, {s.name.lower() for s in self.registry.streams() if s.source is source})

    def _clean(self) -> None:
        """Takes away what a crash left behind: directories that the catalog does not name, what was quarantined for
        streams that it does not name, pushes half done."""
        used = {e.directory for e in self.registry}
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
            if self._seen is not None and self._seen.status != "done":
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
        lines: dict[str, int] = {}
        rejected: Counter[str] = Counter()

        def compute(entry: Stream | View) -> None:
            if isinstance(entry, Stream):
                before = entry.stored.log.rows()
                counts = tag_slice(entry, advance.start, advance.end, advance.number, self.sessions)
                rejected.update(counts)
                lines[entry.name] = entry.stored.log.rows() - before
            elif entry.stored is not None:
                lines[entry.name] = self.runner.run(entry, advance.start, advance.end, advance.number)
            if entry.stored is not None:
                self._fold(entry, entry.stored, advance)

        entries = [e for e in self.registry if isinstance(e, Stream | View)]
        _in_order(entries, compute, progress)
        lines = {e.name: lines[e.name] for e in entries if e.name in lines}
        done = Advance(advance.number, advance.start, advance.end, "done")
        self._advances.append(done)
        self._seen = done
        return Advanced(done.number, done.start, done.end, lines, dict(rejected))

    def _fold(self, entry: Stream | View, stored: Stored, advance: Advance) -> None:
        """COMPLETE views are folded at every advance, others when reading the tail of the log would cost more."""
        folded = stored.folded_to()
        rows = stored.log.rows(folded, None)
        complete = isinstance(entry, View) and entry.definition.mode == "COMPLETE"
        if not rows or (stored.append_only and not complete):
            return
        base = stored.relation.rows()
        long = rows > max(limits.SMALL_ROWS, base // 2)
        many = len(stored.log.files(folded, None)) > _TAIL_FILES and base <= 10 * limits.SMALL_ROWS
        if complete or long or many:
            with self.sessions.scratch(rows + base) as scratch:
                stored.fold(scratch, advance.end, advance.number)


def _in_order(entries: list[Stream | View], compute: Callable[[Any], None], progress: Progress | None) -> None:
    """Computes each entry after those that it reads; independent ones at the same time."""
    by_name = {e.name.lower(): e for e in entries}
    order = TopologicalSorter({n: {i for i in e.inputs if i in by_name} for n, e in by_name.items()})
    order.prepare()
    running: dict[Future[None], str] = {}
    finished = 0
    if progress is not None:
        progress(0, len(entries), "")
    with ThreadPoolExecutor(_WORKERS) as pool:
        while order.is_active():
            for name in order.get_ready():
                running[pool.submit(compute, by_name[name])] = name
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                name = running.pop(future)
                try:
                    future.result()
                except PySparkException as error:
                    entry = by_name[name]
                    kind = type(entry).__name__.lower()
                    raise EngineError(
                        "ADVANCE.FAILED", f"{kind} `{entry.name}`: {spark_message(error)}",
                        hint=f"replace or drop {kind} `{entry.name}` and advance again; nothing is lost",
                    ) from error  # fmt: skip
                finished += 1
                if progress is not None:
                    progress(finished, len(entries), by_name[name].name)
                order.done(name)


def _is_clock_view(continuous: Continuous) -> bool:
    return points_of(continuous.plan) is not None or now_row_of(continuous.plan) is not None


def _view(
    statement: CreateView, continuous: Continuous, row: StructType | None, root: Path, directory: str, created: int
) -> View:
    visible = continuous.columns[: continuous.visible]
    if row is None:
        fields = tuple(Field(c.name, c.type or "BIGINT") for c in visible)
        definition = ViewDef(
            statement.name, statement.query.sql, statement.mode, fields, None, False, False,
            points_of(continuous.plan), now_row_of(continuous.plan),
        )  # fmt: skip
        return View(definition, continuous, None, root, directory, -1)
    shown = continuous.names[: continuous.visible]
    types = [row[n].dataType.simpleString().upper() for n in shown]
    fields = tuple(Field(label, type_) for label, type_ in zip(continuous.labels, types, strict=True))
    key = continuous.key_names
    definition = ViewDef(
        statement.name, statement.query.sql, statement.mode, fields,
        _visible_key(continuous), continuous.append_only,
    )  # fmt: skip
    labels = dict(zip(shown, continuous.labels, strict=True))
    stored = Stored(statement.name, root, directory, row, key, continuous.append_only, labels)
    return View(definition, continuous, stored, root, directory, created)


def _visible_key(continuous: Continuous) -> tuple[str, ...] | None:
    """The key under the names that readers know, where they see all of it."""
    labels = {c.id: label for c, label in zip(continuous.columns, continuous.labels, strict=False)}
    key = continuous.key
    return tuple(labels[c.id] for c in key) if key is not None and all(c.id in labels for c in key) else None


def _kind(entry: Entry) -> str:
    return type(entry).__name__.lower()


def _text(statement: Any) -> str:
    return str(statement.text[statement.span.start : statement.span.end])


def _list(names: list[str]) -> str:
    return ", ".join(f"`{n}`" for n in names)
