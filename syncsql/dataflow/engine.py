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

from pyspark.sql.types import StructType

from syncsql.dataflow.advancing import Advanced, Progress, carry_out
from syncsql.dataflow.diagnosis import said
from syncsql.dataflow.entries import Entries, execution_text
from syncsql.dataflow.ingest import Ingest, Pushed, void_unfinished_push
from syncsql.dataflow.planning import Planner, Shown, unshared
from syncsql.dataflow.registry import Entry, Registry, Source, Stream, View
from syncsql.dataflow.run import Runner
from syncsql.dataflow.tagging import tag_slice, void_rejected
from syncsql.dataflow.ticks import a_tick
from syncsql.dataflow.upkeep import drop_history, merge
from syncsql.dataflow.view import Execution
from syncsql.dataflow.viewing import Views, listed_names, text_of
from syncsql.errors import BindError, EngineError, StorageError, did_you_mean
from syncsql.language import CreateStream, CreateView, Drop, Query, RegisterSource
from syncsql.storage.feed import RETENTION
from syncsql.storage.journal import Advance, AdvanceTable, CatalogTable, Event
from syncsql.storage.lock import WriterLock
from syncsql.storage.sessions import Sessions
from syncsql.storage.settings import TIME_ZONE, settings_of

# The kind of an event of the catalog that is a setting of the database, and the one for the length of a tick.
_SETTING, _TICK = "database", "tick_seconds"


class Engine:
    def __init__(
        self, root: Path, sessions: Sessions, tick_seconds: Fraction | None, read_only: bool,
        planner: Callable[[Engine], Planner] = unshared,
    ) -> None:  # fmt: skip
        self.root = root
        self.sessions = sessions
        self.read_only = read_only
        self.is_closed = False
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
            self.runner = Runner(sessions, self.registry.feeds)
            self.entries = Entries(root, self.registry, self.runner, self.tick_seconds)
            self.views = Views(self)
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
        self.is_closed = True
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
        """The length of a tick. It and what the sessions compute with are chosen when the database is made."""
        kept = {e.name: e.sql for e in self._catalog.events() if e.kind == _SETTING}
        tick = Fraction(kept.pop(_TICK, tick_seconds or 1))
        if tick_seconds is not None and tick_seconds != tick:
            raise StorageError(
                "DATABASE.TICK", f"database {self.root} has ticks of {tick} s, not {tick_seconds} s",
                hint="the tick is chosen when a database is made",
            )  # fmt: skip
        if not kept:
            kept = settings_of(self.sessions.user)
            if not self.read_only:
                chosen = enumerate({_TICK: str(tick), **kept}.items())
                self._catalog.append(*(Event(n, "create", _SETTING, k, value, "", -1) for n, (k, value) in chosen))
        self.sessions.keep(kept)
        return tick

    def _replay(self) -> None:
        self._events = self._catalog.events()
        for entry in self.registry:
            self.registry.remove(entry.name)
        for event in self._events:
            if event.kind == _SETTING:
                continue
            if event.event == "drop":
                self.registry.remove(event.name)
            elif event.event == "replan":
                self.registry.add(self.entries.replanned(event))
            else:
                self.registry.add(self.entries.of(event))

    def record(self, event: str, kind: str, entry: Entry, sql: str, row: StructType | None = None) -> None:
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
        if self.is_closed:
            raise StorageError("DATABASE.CLOSED", f"database {self.root} is closed", hint="connect to it again")
        if self.sessions.is_stopped:
            raise StorageError(
                "SPARK.STOPPED", f"the Spark session of database {self.root} was stopped",
                hint="close the database, and connect to it again",
            )  # fmt: skip

    def free(self, name: str, statement: Any) -> None:
        taken = self.registry.get(name)
        if taken is not None or name.lower() == "clockstr":
            hint = "choose another name" if taken is None else "choose another name, or drop it first"
            if isinstance(taken, View) and isinstance(statement, CreateView):
                hint = "write CREATE OR REPLACE or VIEW IF NOT EXISTS, or choose another name"
            elif (isinstance(taken, Source) and isinstance(statement, RegisterSource)) or (
                isinstance(taken, Stream) and isinstance(statement, CreateStream)
            ):
                hint = f"write IF NOT EXISTS in front of the name, {hint}"
            raise BindError(
                "CATALOG.EXISTS", f"`{name}` is " + ("built in" if taken is None else f"a {_kind(taken)} already"),
                text=statement.text, span=statement.name_span, hint=hint,
            )  # fmt: skip

    def create_source(self, statement: RegisterSource) -> Source:
        with self._guard:
            self._writing()
            there = self.registry.get(statement.name)
            if statement.if_not_exists and isinstance(there, Source):
                return there
            self.free(statement.name, statement)
            source = self.entries.source(statement, self.registry.directory(statement.name))
            source.create()
            self.record("create", "source", source, text_of(statement))
            self.registry.add(source)
            return source

    def create_stream(self, statement: CreateStream) -> Stream:
        """The stream starts with all tuples that its source has kept, as if it had been there from the beginning."""
        with self._guard:
            self._writing()
            there = self.registry.get(statement.name)
            if statement.if_not_exists and isinstance(there, Stream):
                return there
            self.free(statement.name, statement)
            stream = self.entries.stream(statement, self.registry.directory(statement.name), self.closed)
            try:
                stream.stored.create()
                tag_slice(stream, -1, self._tagged_to, self.number, self.sessions, history=True)
            except Exception:
                self.erase(stream)
                raise
            self.record("create", "stream", stream, text_of(statement))
            self.registry.add(stream)
            return stream

    @property
    def _tagged_to(self) -> int:
        """The time up to which tuples are tagged: that of an intent that could not be carried out counts too."""
        return -1 if self._seen is None else self._seen.end

    @property
    def is_pending(self) -> bool:
        """Whether an advance was begun that could not be carried out yet."""
        return self._seen is not None and self._seen.status != "done"

    def create_view(self, statement: CreateView) -> View:
        with self._guard:
            self._writing()
            return self.views.create(statement)

    def query(self, query: Query, root: Path) -> tuple[View, Shown | None]:
        """A query as a view that is kept outside the database, at ``root``, and why it is computed as it is."""
        with self._guard:
            self._check_open()
            return self.views.query(query, root)

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
                    "CATALOG.IN_USE", f"{statement.kind.lower()} `{entry.name}` is read by {listed_names(readers)}",
                    text=statement.text, span=statement.name_span, hint="drop what reads it first",
                )  # fmt: skip
            if isinstance(entry, View):
                self.views.replan_without(entry)
            self.record("drop", statement.kind.lower(), entry, text_of(statement))
            self.registry.remove(entry.name)
            if isinstance(entry, View):
                self.planner.dropped(entry)
            self.erase(entry)
            self.views.drop_unused_parts()

    def erase(self, entry: Entry) -> None:
        if isinstance(entry, Source):
            entry.drop()
        elif isinstance(entry, Stream):
            # First, because the directory tells :meth:`_clean` that something is left to do.
            self._void_rejected(entry.source)
            entry.stored.drop()
        elif entry.stored is not None:
            entry.stored.drop()
        if isinstance(entry, View):
            self.forget(entry)

    def forget(self, view: View) -> None:
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
            void_unfinished_push(source)
            streams = [s for s in self.registry.streams() if s.source is source]
            zone = self.sessions.kept[TIME_ZONE]
            return Ingest(source, streams, self._tagged_to, self.tick_seconds, zone).push(rows, at)

    def advance(self, to: int, progress: Progress | None) -> Advanced:
        to = a_tick("to", to)
        with self._guard:
            self._writing()
            # A setting that cannot be read is told before anything is done.
            self._ticks_kept()
            if self.is_pending:
                assert self._seen is not None
                late = self._perform(self._seen, progress)
                if to == late.end:
                    return late
            if to <= self.closed:
                why = "already" if to == self.closed else f"and does not go back to {to}"
                said = f"time is at {self.closed} {why}" if self.closed >= 0 else f"time begins at 0, got {to}"
                raise EngineError("ADVANCE.BACKWARD", said, hint=f"advance to {self.closed + 1} or later")
            intent = Advance(self.number + 1, self.closed, to, "intent")
            self._advances.append(intent)
            self._seen = intent
            return self._perform(intent, progress)

    def _perform(self, advance: Advance, progress: Progress | None) -> Advanced:
        carried = carry_out(advance, self.registry, self.runner, self.sessions, progress)
        done = Advance(advance.number, advance.start, advance.end, "done")
        self._advances.append(done)
        self._seen = done
        try:
            self.planner.advanced(carried)
            self._tend()
        except Exception as error:
            # Time has moved on all the same, and must not seem not to have.
            return replace(carried, undone=said(error))
        return carried

    def _ticks_kept(self) -> int | None:
        """How much history is kept; None for all."""
        return self.sessions.setting(RETENTION, 0) if self.sessions.is_set(RETENTION) else None

    def _tend(self) -> None:
        ticks = self._ticks_kept()
        if ticks is not None:
            drop_history(self.registry, self.runner, self.sessions, self.closed, self.number, ticks)
        merge(self.registry, [self._advances.table, self._catalog.table, *self.planner.tables()], self.closed)


def _kind(entry: Entry) -> str:
    return type(entry).__name__.lower()
