"""What ``db.sql`` gives back: handles of sources, streams, views and queries. A repr never starts a job."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from inspect import cleandoc
from pathlib import Path
from typing import Generic, TypeVar

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from syncsql.algebra.patterns import memory_of, pattern_of
from syncsql.algebra.relations import Node, scans, tree, walk
from syncsql.algebra.sync import Sync
from syncsql.clockstream import ClockStream
from syncsql.dataflow.diagnosis import spark_message
from syncsql.dataflow.engine import Engine
from syncsql.dataflow.planning import Shown
from syncsql.dataflow.registry import Entry, Source, Stream, View
from syncsql.dataflow.ticks import a_tick
from syncsql.dataflow.verify import Verified, verify
from syncsql.errors import BindError, EngineError, Span
from syncsql.reading import operations
from syncsql.render import Report
from syncsql.storage.feed import Feed
from syncsql.storage.scratch import Scratch
from syncsql.storage.stored import Stored
from syncsql.stream.names import AT, FULL, POS, PUSH
from syncsql.stream.text import listed, quoted

E = TypeVar("E", Source, Stream, View)


class _Handle(Generic[E]):
    """Stands for what the catalog has under a name now: a view may be replaced, and a reader makes its entries anew
    when the writer has changed the catalog. ``_known`` is what it had when it was last looked up."""

    def __init__(self, engine: Engine, entry: E) -> None:
        self._engine = engine
        self._known: E = entry

    @property
    def name(self) -> str:
        return self._known.name

    @property
    def _entry(self) -> E:
        found, kind = self._engine.registry.get(self.name), type(self._known)
        if not isinstance(found, kind):
            word = kind.__name__.lower()
            raise BindError("CATALOG.DROPPED", f"{word} `{self.name}` was dropped")
        self._known = found
        return found


class SourceHandle(_Handle[Source]):
    """A registered source: its raw tuples and its quarantine."""

    def tuples(self) -> DataFrame:
        """The raw tuples with their timestamp, in order of arrival."""
        self._engine.refresh()
        scratch = Scratch(self._engine.sessions.user)
        cells = [*map(quoted, self._entry.row.names), f"{AT} AS ts"]
        return scratch.frame(f"SELECT {listed(cells)} FROM ({scratch.read(self._entry.raw)}) ORDER BY {PUSH}, {POS}")

    def quarantine(self) -> DataFrame:
        """What could not be taken: when, for which stream (NULL: for all), why, and the row as it came."""
        self._engine.refresh()
        scratch = Scratch(self._engine.sessions.user)
        cells = f"{AT} AS ts, {PUSH} AS push, {POS} AS position, stream, reason, detail, row"
        rows = scratch.read(self._entry.quarantine)
        return scratch.frame(f"SELECT {cells} FROM ({rows}) ORDER BY {PUSH}, {POS}, stream")

    def describe(self) -> Report:
        d = self._entry.definition
        notes = [f"timestamps: column {d.timestamp_by}" if d.timestamp_by else "timestamps: the database's clock"]
        if d.origin:
            notes.append(f"origin: {d.origin}")
        rows = tuple((f.name, f.type, f.name not in self._entry.not_null) for f in d.fields)
        return Report(f"source {d.name}", ("column", "type", "nullable"), rows, tuple(notes))

    def __repr__(self) -> str:
        return f"Source {self.name}({', '.join(f'{f.name} {f.type}' for f in self._known.definition.fields)})"


def span_of(engine: Engine, since: int | None, until: int | None) -> tuple[int | None, int]:
    """A span of time as a caller gives it, up to the present."""
    since = None if since is None else a_tick("since", since)
    return since, engine.closed if until is None else min(a_tick("until", until), engine.closed)


class _Changing(_Handle[E]):
    """What streams, views and queries have in common: changes, and the relation at a time."""

    def _feed(self) -> Feed:
        raise NotImplementedError

    def _reading(self) -> tuple[Feed, Scratch]:
        feed = self._feed()
        return feed, self._engine.sessions.reading(derived=not isinstance(feed, Stored))

    @property
    def is_keyed(self) -> bool:
        """Whether a row of the relation is known by a key; else it is a bag of rows."""
        return self._feed().key is not None

    def changes(self, since: int | None = None, until: int | None = None) -> DataFrame:
        """The operations after ``since`` (without it all that are kept) and up to ``until``: op, the columns, ts. A
        deletion shows the key."""
        feed, scratch = self._reading()
        since, until = span_of(self._engine, since, until)
        return scratch.frame(operations(feed, feed.changes(scratch, feed.since(since), until)))

    def relation(self, at: int | None = None) -> DataFrame:
        """The relation at a time that is closed, now without one."""
        feed, scratch = self._reading()
        point = feed.since(self._time(at))
        assert point is not None
        cells = (f"{quoted(c)} AS {quoted(label)}" for c, label in feed.visible.items())
        return scratch.frame(f"SELECT {listed(cells)} FROM ({feed.at(scratch, point, ts=False)})")

    def show(self, rows: int = 20, truncate: bool = True) -> None:
        """Prints the present relation, as Spark shows a DataFrame."""
        self.relation().show(rows, truncate)

    def points(self, since: int | None = None, until: int | None = None) -> DataFrame:
        """The points at which something changed, and whether each is full: every input was synchronized there."""
        feed, scratch = self._reading()
        since, until = span_of(self._engine, since, until)
        lines = feed.changes(scratch, feed.since(since), until)
        return scratch.frame(f"SELECT {AT} AS ts, bool_and({FULL}) AS full FROM ({lines}) GROUP BY {AT} ORDER BY {AT}")

    def _time(self, at: int | None) -> int:
        closed = self._engine.closed
        if at is None:
            return closed
        if a_tick("at", at) > closed:
            now = f"time is at {closed}" if closed >= 0 else "time has not begun"
            raise EngineError(
                "TIME.NOT_CLOSED", f"{now}: what holds at {at} is not known yet",
                hint=f"advance to {at} closes it",
            )  # fmt: skip
        return at


class StreamHandle(_Changing[Stream]):
    """A tagged stream over a source."""

    def _feed(self) -> Feed:
        self._engine.refresh()
        return self._entry.feed

    def describe(self) -> Report:
        d = self._entry.definition
        key = "none: every tuple is +" if d.append_only else ", ".join(d.key or ()) or "none: a bag"
        notes = [f"source: {d.source}", f"key: {key}"]
        if d.operation_by:
            notes.append(f"operations: column {d.operation_by}")
        notes.append(f"update pattern: {'monotonic' if d.append_only else 'strict'}")
        return Report(f"stream {d.name}", ("column", "type"), tuple((f.name, f.type) for f in d.fields), tuple(notes))

    def __repr__(self) -> str:
        return f"Stream {self.name} over {self._known.definition.source}"


class ViewHandle(_Changing[View]):
    """A view, or a query, which is a view that only this session knows."""

    @property
    def mode(self) -> str:
        return self._known.definition.mode

    @property
    def is_keyed(self) -> bool:
        return self._is_clock or super().is_keyed

    def _feed(self) -> Feed:
        self._engine.refresh()
        assert self._entry.feed is not None
        return self._entry.feed

    def changes(self, since: int | None = None, until: int | None = None) -> DataFrame:
        if not self._is_clock:
            return super().changes(since, until)
        since, until = span_of(self._engine, since, until)
        return self._clock.changes(-1 if since is None else since, until)

    def points(self, since: int | None = None, until: int | None = None) -> DataFrame:
        if not self._is_clock:
            return super().points(since, until)
        since, until = span_of(self._engine, since, until)
        return self._clock.points(-1 if since is None else since, until)

    def relation(self, at: int | None = None) -> DataFrame:
        if self._is_clock:
            return self._clock.relation(self._time(at))
        return super().relation(self._answered(at))

    def verify(self, at: int | None = None) -> Verified:
        """The relation at a time that is closed, now without one, against what the streams give for it in one plain
        batch query."""
        if self._is_clock:
            raise EngineError(
                "VERIFY.CLOCK", f"`{self.name}` is made from the clock whenever it is read: nothing is stored",
                hint="verify the views that read it",
            )  # fmt: skip
        self._feed()
        return verify(self._engine, self._entry, self._answered(at))

    def exists_at(self, at: int | None = None) -> bool:
        """Whether a relation is stored that has an answer at a time that is closed."""
        return not self._is_clock and self._time(at) >= self._entry.created

    def _answered(self, at: int | None) -> int:
        """``at`` as a time that is closed and not before the view was made."""
        point = self._time(at)
        if point < self._entry.created:
            raise EngineError(
                "TIME.BEFORE_VIEW", f"`{self.name}` was made at {self._entry.created} and has no answer at {point}"
            )
        return point

    @property
    def _is_clock(self) -> bool:
        """Whether it is made from the clock whenever it is read."""
        self._engine.refresh()
        return self._entry.feed is None

    @property
    def _clock(self) -> ClockStream:
        return ClockStream(self._engine, self._entry)

    @property
    def decision(self) -> Shown | None:
        """Why the view is computed as it is: what was looked at, what was proved, and what is used."""
        self._engine.refresh()
        return self._engine.planner.decision(self.name)

    def explain(self) -> Report:
        """The plan that runs: what is read at which points, the update pattern of every edge and what is
        remembered."""
        execution = self._entry.execution
        how = "derived when it is read" if execution.virtual else "computed at every advance"
        return Report(f"plan of {_one_line(self.name)}, {how}", notes=(tree(execution.plan, _notes(execution.plan)),))

    def describe(self) -> Report:
        d, c = self._entry.definition, self._entry.continuous
        key = None if c.key is None else ", ".join(k.name for k in c.key) or "the empty key: at most one row"
        notes = [f"mode: {d.mode}", f"key: {key or 'none'}"]
        notes.append("refreshed at: " + " ∪ ".join(_sync(s) for s in c.syncs))
        notes.append(f"update pattern: {pattern_of(c.plan)}")
        execution = self._entry.execution
        kept = [] if execution.virtual else [memory_of(n) for n in walk(execution.plan)]
        what = "; ".join(dict.fromkeys(str(m) for m in kept if m.what != "nothing")) or "nothing"
        notes.append(f"remembers: {what}")
        if self._entry.feed is not None:
            parts = self._engine.registry.told_parts(self._entry)
            read = parts or ", ".join(dict.fromkeys(str(s) for s in scans(execution.plan)))
            notes.append(f"runs: {'virtual, derived' if execution.virtual else 'materialized, computed'} from {read}")
        rows = tuple((f.name, f.type) for f in d.fields)
        return Report(f"view {d.name}", ("column", "type"), rows, (*notes, f"query: {cleandoc(d.sql)}"))

    def __repr__(self) -> str:
        columns = ", ".join(f"{f.name} {f.type}" for f in self._known.definition.fields)
        return f"{self.mode} view {self.name}({columns}){self._answered_from()}"

    def _answered_from(self) -> str:
        """The views that it does not name and is computed from all the same."""
        shared = sorted(self._known.execution.inputs - self._known.inputs)
        views = [e.name for e in map(self._engine.registry.get, shared) if isinstance(e, View) and not e.is_part]
        return f", answered from {', '.join(views)}" if views else ""


class QueryHandle(ViewHandle):
    """A query. Its answer starts at the present and is brought up to date when it is read."""

    def __init__(self, engine: Engine, entry: View, why: Shown | None, home: Path) -> None:
        super().__init__(engine, entry)
        self._inputs = {i.name: _identity(i) for i in (engine.registry.get(n) for n in entry.needs) if i is not None}
        self._why = why
        self._number = 1
        self._until = entry.created - 1
        self._failed: int | None = None
        self._finalizer = weakref.finalize(self, shutil.rmtree, home, True)

    @property
    def _entry(self) -> View:
        return self._known

    @property
    def decision(self) -> Shown | None:
        return self._why

    def _feed(self) -> Feed:
        feed = super()._feed()
        for name, was in self._inputs.items():
            now = self._engine.registry.get(name)
            if now is None or _identity(now) != was:
                gone = "dropped" if now is None else "replaced"
                raise EngineError(
                    "QUERY.INPUT_GONE", f"`{name}`, which the query is answered from, was {gone}",
                    hint="run the query again",
                )  # fmt: skip
        if self._entry.stored is None:
            return feed
        # What failed is run again over the same time and under the same number, as an advance would be.
        for end in (self._failed, self._engine.closed):
            if end is not None and end > self._until:
                self._failed = end
                self._run(end)
                self._failed = None
        return feed

    def _run(self, end: int) -> None:
        try:
            self._engine.runner.run(self._entry, self._until, end, self._number + 1)
        except PySparkException as error:
            raise EngineError(
                "QUERY.FAILED", f"the answer cannot be computed: {spark_message(error)}",
                text=self._entry.definition.sql, span=Span(0, len(self._entry.definition.sql)),
                hint="guard the expression, for example with try_divide or TRY_CAST",
            ) from error  # fmt: skip
        self._number += 1
        self._until = end

    def __repr__(self) -> str:
        return f"{self.mode} query: {_one_line(self._known.definition.sql)}{self._answered_from()}"


def _one_line(query: str) -> str:
    return " ".join(query.split())


def _identity(entry: Entry) -> object:
    """What tells an entry from another one that got its name later."""
    return entry.definition, None if isinstance(entry, Source) else entry.created


def query_home() -> Path:
    return Path(tempfile.mkdtemp(prefix="syncsql-query-"))


def _sync(sync: Sync) -> str:
    return "every tick" if sync.is_clock else f"{sync.name} ({sync.points})"


def _notes(plan: Node) -> dict[Node, str]:
    notes = {}
    for node in walk(plan):
        memory = memory_of(node)
        kept = "" if memory.what == "nothing" else f"; remembers {memory}"
        notes[node] = f"{pattern_of(node)}{kept}"
    return notes
