"""Streams as people read them: ``op``, the columns, ``ts``; of one view, or of many together; and results as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pyspark.sql import DataFrame
from pyspark.sql.types import MapType, VariantType

from syncsql.dataflow.engine import Engine
from syncsql.dataflow.registry import Stream, View
from syncsql.dataflow.together import VIEW, changes, groups_of
from syncsql.errors import EngineError
from syncsql.render import grid
from syncsql.storage.feed import Feed
from syncsql.storage.stored import Stored
from syncsql.stream.names import AT, CHANGE, DELETE, INSERT, SEQ
from syncsql.stream.text import Sql, listed, quoted, text_literal


class Readable(Protocol):
    """A handle of a stream, view or query."""

    @property
    def name(self) -> str: ...

    @property
    def _entry(self) -> Stream | View: ...

    def _feed(self) -> Feed: ...


def operations(feed: Feed, lines: Sql, named: bool = False) -> Sql:
    """Lines of ``feed`` in the paper's form, in order: a deletion shows the key. Where they are those of many
    views, the name of each comes first. Where a column of the user is called ``op``, the operation is ``_op``."""
    visible = feed.visible
    taken = {label.lower() for label in visible.values()}

    def free(name: str) -> str:
        return quoted(name) if name not in taken else free(f"_{name}")

    key = feed.key if feed.key is not None and set(feed.key) <= set(visible) else None
    cells = [*([f"{VIEW} AS {free('view')}"] if named else []), f"{_OP} AS {free('op')}"]
    for name, label in visible.items():
        hidden = key is not None and name not in key
        cell = f"IF({CHANGE} = '{DELETE}', NULL, {quoted(name)})" if hidden else quoted(name)
        cells.append(f"{cell} AS {quoted(label)}")
    sortable = [quoted(f.name) for f in feed.row.fields if not isinstance(f.dataType, MapType | VariantType)]
    order = [AT, *([VIEW] if named else []), SEQ, f"{_OP} DESC", *sortable]
    ordered = f"SELECT * FROM ({lines}) ORDER BY {listed(order)}"
    cells.append(f"{AT} AS {free('ts')}")
    return f"SELECT {listed(cells)} FROM ({ordered})"


_OP = f"CASE {CHANGE} WHEN '{INSERT}' THEN '+' WHEN '{DELETE}' THEN '-' ELSE 'u' END"


def changes_of(engine: Engine, handles: Sequence[Readable], since: int | None, until: int) -> DataFrame:
    """The streams of ``handles``, whose columns must be the same, with the name of each before its operations."""
    if not handles:
        raise EngineError("CHANGES.NOTHING", "no stream or view is named", hint='db.changes(["HotRooms", "Averages"])')
    feeds = [h._feed() for h in handles]
    for handle, feed in zip(handles, feeds, strict=True):
        if (_columns(feed), _key(feed)) != (_columns(feeds[0]), _key(feeds[0])):
            raise EngineError(
                "CHANGES.COLUMNS", f"`{handle.name}` has {_shown(feed)}, `{handles[0].name}` has {_shown(feeds[0])}",
                hint="read streams with the same columns and key together, and the others apart",
            )  # fmt: skip
    scratch = engine.sessions.reading(derived=not all(isinstance(f, Stored) for f in feeds))
    views = [h._entry if isinstance(h._entry, View) else None for h in handles]
    since = max((t for t in (f.since(since) for f in feeds) if t is not None), default=None)
    groups, alone = groups_of(views, since, until)
    cells = [CHANGE, SEQ, AT, *map(quoted, feeds[0].columns)]
    names = listed(text_literal(h.name) for h in handles)
    parts = []
    for group in groups:
        view = views[group.places[0]]
        assert view is not None
        name = f"element_at(array({names}), CAST({VIEW} + 1 AS INT)) AS {VIEW}"
        parts.append(f"SELECT {listed([name, *cells])} FROM ({changes(group, view, engine.runner, scratch)})")
    for place in alone:
        lines = feeds[place].changes(scratch, since, until)
        parts.append(f"SELECT {text_literal(handles[place].name)} AS {VIEW}, {listed(cells)} FROM ({lines})")
    return scratch.frame(operations(feeds[0], scratch.union(*parts), named=True))


def _columns(feed: Feed) -> list[tuple[str, str]]:
    types = {f.name: f.dataType.simpleString() for f in feed.row.fields}
    hidden = [("", types[n]) for n in feed.columns if n not in feed.visible]
    return [(label.lower(), types[name]) for name, label in feed.visible.items()] + hidden


def _shown(feed: Feed) -> str:
    types = {f.name: f.dataType.simpleString().upper() for f in feed.row.fields}
    columns = ", ".join(f"{label} {types[name]}" for name, label in feed.visible.items())
    return f"the columns {columns} and " + ("no key" if feed.key is None else f"the key ({', '.join(_key_of(feed))})")


def _key(feed: Feed) -> list[str] | None:
    return None if feed.key is None else [k.lower() for k in _key_of(feed)]


def _key_of(feed: Feed) -> list[str]:
    return [feed.visible.get(k, k) for k in feed.key or ()]


def table_of(frame: DataFrame, most: int = 50) -> str:
    """At most the first rows of a result; a note says when there are more."""
    rows = frame.limit(most + 1).collect()
    text = grid(frame.columns, [tuple(r) for r in rows[:most]])
    return text if len(rows) <= most else f"{text}\n… more than {most} rows"
