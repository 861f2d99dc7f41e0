"""The way in: ``connect`` opens a database, ``Database`` runs statements and hands out handles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from inspect import cleandoc
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, TypeVar

from pyspark.sql import DataFrame, SparkSession

from matcher.decision import Decision
from syncsql.algebra.skin import skin
from syncsql.dataflow.advancing import Advanced, Progress
from syncsql.dataflow.engine import Engine
from syncsql.dataflow.ingest import Pushed
from syncsql.dataflow.planning import Advice, unshared
from syncsql.dataflow.registry import Entry, Source, Stream, View
from syncsql.dataflow.verify import Verified
from syncsql.dataflow.view import Continuous
from syncsql.errors import BindError, EngineError, ParseError, Span, StorageError, SyncSQLError, did_you_mean
from syncsql.handles import QueryHandle, SourceHandle, StreamHandle, ViewHandle, query_home, span_of
from syncsql.language import (
    CreateStream,
    CreateView,
    Describe,
    Drop,
    Explain,
    Query,
    RegisterSource,
    Show,
    Statement,
    Verify,
    parse_script,
    parse_statement,
)
from syncsql.progress import advance_bar
from syncsql.reading import changes_of
from syncsql.render import Report, counted
from syncsql.storage.running import GiveBack, checked, lend_session
from syncsql.storage.sessions import child_sessions
from syncsql.timeline import timeline_of
from views.candidates import Candidates
from views.graph import Graph
from views.sharing import Sharing, budget_of, sharing_planner

AnyHandle = SourceHandle | StreamHandle | ViewHandle
Handle = AnyHandle | Report | Verified | Decision | None
H = TypeVar("H", SourceHandle, StreamHandle, ViewHandle)


def connect(
    path: str | Path, spark: SparkSession | None = None, *, tick_seconds: float | Fraction | None = None,
    read_only: bool = False, sharing: bool = True,
) -> Database:  # fmt: skip
    """Opens the database at ``path``, or makes it. A session that is given, classic or of Spark Connect, is used as it
    is, and so is one that runs already. Where none does, a local one is started, and stopped again when the last
    database that uses it is closed. ``tick_seconds`` is the length of a tick of a new database: it only affects how
    intervals, dates and times are read. With ``sharing`` a view or query is answered from views that already run, where
    that is proved to be the same."""
    tick = None if tick_seconds is None else _tick(tick_seconds)
    root, planner = _root(path), sharing_planner if sharing else unshared
    session, give_back = lend_session() if spark is None else (checked(spark), None)
    try:
        return Database(Engine(root, child_sessions(session), tick, read_only, planner), give_back)
    except BaseException:
        if give_back is not None:
            give_back()
        raise


def _root(path: str | Path) -> Path:
    root = Path(path).absolute()
    strange = sorted(set(str(root)) & set("%*?[]{}\\"))
    if strange:
        raise StorageError(
            "DATABASE.PATH", f"{root}: readers of Delta tables do not take `{strange[0]}` in a path as it stands",
            hint="choose a directory without any of % * ? [ ] { } and \\",
        )  # fmt: skip
    return root


def _tick(seconds: float | Fraction) -> Fraction:
    try:
        tick = Fraction(seconds).limit_denominator(10**9)
    except (ArithmeticError, TypeError, ValueError):
        tick = Fraction(0)
    if tick <= 0:
        raise StorageError(
            "DATABASE.TICK", f"tick_seconds={seconds!r}: a tick is a positive number of seconds",
            hint="tick_seconds=1 is the default, 0.001 a millisecond",
        )  # fmt: skip
    return tick


class Database:
    """A database of sources, streams and views. Works as a context manager."""

    def __init__(self, engine: Engine, give_back: GiveBack | None) -> None:
        self._engine = engine
        self._give_back = give_back
        if isinstance(engine.planner, Sharing):
            self._candidates = engine.planner.candidates
        else:
            self._candidates = Candidates(engine.registry, engine.tick_seconds)

    # Statements

    def sql(self, text: str) -> Handle:
        """Runs one statement or a script; gives the handle of the last."""
        self._engine.refresh()
        result: Handle = None
        for statement in parse_script(_checked(text)):
            result = self._run(statement)
        return result

    def _run(self, statement: Statement) -> Handle:
        engine = self._engine
        if isinstance(statement, RegisterSource):
            return SourceHandle(engine, engine.create_source(statement))
        if isinstance(statement, CreateStream):
            return StreamHandle(engine, engine.create_stream(statement))
        if isinstance(statement, CreateView):
            return ViewHandle(engine, engine.create_view(statement))
        if isinstance(statement, Query):
            home = query_home()
            return QueryHandle(engine, *engine.query(statement, home), home)
        if isinstance(statement, Drop):
            engine.drop(statement)
            return Report(f"dropped {statement.kind.lower()} {statement.name}")
        if isinstance(statement, Describe):
            return self._handle(statement.name, statement.text, statement.name_span).describe()
        if isinstance(statement, Verify):
            return self._verify(statement)
        if isinstance(statement, Explain):
            return self._explain(statement)
        assert isinstance(statement, Show)
        return self._show(statement)

    def _verify(self, statement: Verify) -> Verified:
        handle = self._handle(statement.name, statement.text, statement.name_span)
        if not isinstance(handle, ViewHandle):
            raise BindError(
                "VERIFY.NOT_A_VIEW", f"`{handle.name}` is not a view: views are verified against the streams",
                text=statement.text, span=statement.name_span,
                hint=did_you_mean(statement.name, list(self.views)) or "there is no view yet",
            )  # fmt: skip
        try:
            return handle.verify(statement.at)
        except SyncSQLError as error:
            raise error.at(statement.text, statement.at_span or statement.name_span) from None

    def _explain(self, statement: Explain) -> Report | Decision:
        if statement.kind == "SHARING":
            return self._decision(statement.query)
        if statement.kind == "SKIN":
            engine = self._engine
            return skin(Continuous.of(statement.query, engine.registry, engine.tick_seconds).bound).report
        query = self._run(statement.query)
        assert isinstance(query, QueryHandle)
        return query.explain()

    def plan(self, text: str) -> Decision:
        """The decision for a query or a CREATE VIEW: which views would answer it, why the others do not. Nothing is
        changed."""
        self._engine.refresh()
        statement = parse_statement(_checked(text))
        if isinstance(statement, CreateView):
            return self._decision(statement.query, statement.name)
        if not isinstance(statement, Query):
            raise ParseError(
                "PARSE.SYNTAX", "a query is expected", text=text, span=statement.span, hint="SELECT … or CREATE VIEW …"
            )
        return self._decision(statement)

    def _decision(self, query: Query, view: str | None = None) -> Decision:
        self._candidates.budget_ms = budget_of(self._engine.sessions)
        but_not = set() if view is None else {view}
        return self._candidates.decide(query, every=True, evidence=True, but_not=but_not)

    def _handle(self, name: str, text: str | None = None, span: Span | None = None) -> AnyHandle:
        entry = self._engine.registry.get(name)
        if entry is None:
            raise BindError(
                "CATALOG.UNKNOWN", f"there is no source, stream or view `{name}`", text=text, span=span,
                hint=did_you_mean(name, self._engine.registry.names()),
            )  # fmt: skip
        return _handle_of(self._engine, entry)

    def _show(self, statement: Show) -> Report:
        registry = self._engine.registry
        if statement.what == "SOURCES":
            rows = [(s.name, _columns(s), s.definition.timestamp_by or "clock") for s in registry.sources()]
            return Report("sources", ("name", "columns", "timestamps"), tuple(rows))
        if statement.what == "STREAMS":
            keys = {s.name: ", ".join(s.definition.key or ()) or "NULL" for s in registry.streams()}
            shown = [(s.name, s.definition.source, keys[s.name]) for s in registry.streams()]
            return Report("streams", ("name", "source", "key"), tuple(shown))
        if statement.what == "VIEWS":
            views = [(v.name, v.definition.mode, cleandoc(v.definition.sql)) for v in registry.views()]
            return Report("views", ("name", "mode", "query"), tuple(views))
        if statement.what == "ADVANCES":
            advances = [(a.number, a.start, a.end, a.status) for a in self._engine.advances()]
            return Report("advances", ("number", "after", "to", "status"), tuple(advances))
        assert statement.what == "SHARING"
        return self.sharing()

    # Data and time

    @property
    def spark(self) -> SparkSession:
        """The session that the database's DataFrames belong to."""
        return self._engine.sessions.user

    @property
    def now(self) -> int:
        """The present: the time up to which everything is computed."""
        return max(self._engine.closed, 0)

    def push(self, source: str, rows: Any, at: int | None = None) -> Pushed:
        """Takes in rows (tuples, dicts, pandas, Arrow, Spark DataFrame). ``at`` is their timestamp where the source
        has no timestamp column; without it they come at the next tick."""
        return self._engine.push(source, rows, at)

    def advance(self, to: int | None = None, progress: Progress | None = None) -> Advanced:
        """Says that nothing at or before ``to`` will come any more, and computes every point up to it."""
        to = self.now + 1 if to is None else to
        if progress is not None:
            return self._engine.advance(to, progress)
        with advance_bar(to) as bar:
            return self._engine.advance(to, bar)

    # Sharing

    def sharing(self) -> Report:
        """How every view is computed, what it is answered from, and what that saved so far."""
        self._engine.refresh()
        return self._engine.planner.report()

    def optimize(self, queries: str | Iterable[str], create: bool = False) -> Advice:
        """Views that would lower the cost of ``queries``, a set that is known in advance: what they have in common.
        With ``create`` they are made."""
        self._engine.refresh()
        asked = [queries] if isinstance(queries, str) else list(queries)
        if not asked:
            raise EngineError("ADVISE.NOTHING", "no query is given", hint='db.optimize(["SELECT …", "SELECT …"])')
        advice = self._engine.planner.advise(asked)
        if create:
            for statement in advice.statements:
                self.sql(statement)
        return advice

    def changes(
        self, views: str | Iterable[str | StreamHandle | ViewHandle], since: int | None = None, until: int | None = None
    ) -> DataFrame:
        """The streams of many views and queries together: the view, the operation, the columns, the time. Those that
        differ in their constants alone are answered by one join with the table of the constants."""
        self._engine.refresh()
        named = [views] if isinstance(views, str) else views
        handles = [self._handle_named(v) if isinstance(v, str) else v for v in named]
        return changes_of(self._engine, handles, *span_of(self._engine, since, until))

    def timeline(self, *streams: str, since: int | None = None, until: int | None = None) -> Report:
        """A few small streams and views beside each other over time, as text or as a table: for people."""
        self._engine.refresh()
        if not streams:
            raise EngineError("TIMELINE.NOTHING", "no stream or view is named", hint='db.timeline("S", "V")')
        return timeline_of([self._handle_named(s) for s in streams], since, until)

    def _handle_named(self, name: str) -> StreamHandle | ViewHandle:
        handle = self[name]
        if isinstance(handle, SourceHandle):
            raise BindError(
                "CATALOG.UNKNOWN", f"`{name}` is a source, not a stream or view",
                hint=did_you_mean(name, [*self.streams, *self.views]) or "a stream over it comes first",
            )  # fmt: skip
        return handle

    def graph(self) -> Graph:
        """Who feeds whom: sources, streams and views, and what each is really computed from."""
        self._engine.refresh()
        return Graph.of(self._engine.registry)

    # Looking up

    def __getitem__(self, name: str) -> AnyHandle:
        """The source, stream or view of this name."""
        self._engine.refresh()
        return self._handle(name)

    def _ipython_key_completions_(self) -> list[str]:
        self._engine.refresh()
        return self._engine.registry.names()

    @property
    def sources(self) -> Lookup[SourceHandle]:
        return Lookup(self._engine, Source, "source")

    @property
    def streams(self) -> Lookup[StreamHandle]:
        return Lookup(self._engine, Stream, "stream")

    @property
    def views(self) -> Lookup[ViewHandle]:
        return Lookup(self._engine, View, "view")

    # Life

    def close(self) -> None:
        self._engine.close()
        if self._give_back is not None:
            self._give_back()
            self._give_back = None

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        engine = self._engine
        if engine.is_closed:
            return f"Database {engine.root}, closed"
        if not engine.sessions.is_stopped:
            engine.refresh()
        known = engine.registry
        kinds = (("source", known.sources()), ("stream", known.streams()), ("view", known.views()))
        counts = ", ".join(counted(len(entries), word) for word, entries in kinds)
        time = f"at {engine.closed}" if engine.closed >= 0 else "before its first advance"
        return f"Database {engine.root} {time}: {counts}"


class Lookup(Generic[H]):
    """Handles by name: as attribute, as item, and for completion."""

    def __init__(self, engine: Engine, kind: type[Source] | type[Stream] | type[View], word: str) -> None:
        self._engine, self._kind, self._word = engine, kind, word

    def _names(self) -> list[str]:
        self._engine.refresh()
        known = self._engine.registry.names()
        return [n for n in known if isinstance(self._engine.registry.get(n), self._kind)]

    def __getitem__(self, name: str) -> H:
        names = self._names()
        entry = self._engine.registry.get(name)
        if entry is None or not isinstance(entry, self._kind):
            raise BindError("CATALOG.UNKNOWN", f"there is no {self._word} `{name}`", hint=did_you_mean(name, names))
        found: Any = _handle_of(self._engine, entry)
        return found

    def __getattr__(self, name: str) -> H:
        try:
            return self[name]
        except BindError as error:
            raise AttributeError(str(error)) from None

    def __dir__(self) -> list[str]:
        return self._names()

    _ipython_key_completions_ = __dir__

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __repr__(self) -> str:
        return f"{self._word}s: {', '.join(self._names()) or 'none'}"


def _checked(text: object) -> str:
    if not isinstance(text, str):
        raise ParseError("PARSE.NOT_TEXT", f"statements are text, got {type(text).__name__}")
    return text


def _handle_of(engine: Engine, entry: Entry) -> AnyHandle:
    if isinstance(entry, Source):
        return SourceHandle(engine, entry)
    return StreamHandle(engine, entry) if isinstance(entry, Stream) else ViewHandle(engine, entry)


def _columns(source: Source) -> str:
    return ", ".join(f"{f.name} {f.type}" for f in source.definition.fields)
