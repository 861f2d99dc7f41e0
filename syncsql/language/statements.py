"""The statements of SyncSQL, as frozen values.

Two statements are equal when they say the same: places in the user's text take no part in it. Every field that ends
in ``_span`` is the place of the field of the same name in ``text``, so that a later error about it can be underlined;
it is None where the user did not write the thing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from sqlglot import exp

from syncsql.errors import Span
from syncsql.language.printing import print_query, sync_of
from syncsql.language.rewriting import Rewritten

Mode = Literal["STREAMED", "COMPLETE"]
Keeping = Literal["MATERIALIZED", "VIRTUAL"]
DropKind = Literal["VIEW", "STREAM", "SOURCE"]
ShowWhat = Literal["SOURCES", "STREAMS", "VIEWS", "SHARING", "ADVANCES"]
ExplainKind = Literal["PLAN", "SKIN", "SHARING"]


@dataclass(frozen=True)
class Statement:
    """A statement at ``span`` of ``text``, which may be a script of many."""

    text: str = field(default="", compare=False, repr=False, kw_only=True)
    span: Span = field(default=Span(0, 0), compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class ColumnDef:
    """A column of a source; ``type`` is Spark's own DDL for it, in upper case except for the names of fields."""

    name: str
    type: str
    nullable: bool = True
    span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class RegisterSource(Statement):
    """``REGISTER SOURCE [IF NOT EXISTS] name (…) [TIMESTAMP BY column] [FROM origin]``: where raw tuples come from."""

    name: str
    columns: tuple[ColumnDef, ...]
    timestamp_by: str | None = None
    origin: str | None = None
    if_not_exists: bool = False
    name_span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)
    timestamp_by_span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)
    origin_span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class CreateStream(Statement):
    """``CREATE STREAM [IF NOT EXISTS] name OVER source KEY …``: how raw tuples are tagged.

    ``key`` None is ``KEY NULL``. ``key_span`` has one place per key column, or that of NULL.
    """

    name: str
    source: str
    key: tuple[str, ...] | None
    operation_by: str | None = None
    if_not_exists: bool = False
    name_span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)
    source_span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)
    key_span: tuple[Span, ...] = field(default=(), compare=False, repr=False, kw_only=True)
    operation_by_span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, eq=False)
class Query(Statement):
    """A query: its mode, its tree as Spark SQL, and ``sql``, the text as the user wrote it.

    Each relation of FROM is an ``exp.Table``; `sync_of` says which sync stream it was given.
    """

    mode: Mode
    tree: exp.Expr
    emit_full: bool
    sql: str
    cleaned: Rewritten | None = field(default=None, repr=False, kw_only=True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Query):
            return NotImplemented
        return self._meaning() == other._meaning()

    def __hash__(self) -> int:
        return hash(self._meaning())

    def _meaning(self) -> tuple[str, bool, str]:
        return self.mode, self.emit_full, print_query(self.tree)

    def span_of(self, node: exp.Expr) -> Span | None:
        """The place in ``text`` of a node of the tree, or of a copy of one; None where nothing below it has a place.

        Of a table it is the name alone, without alias and joins.
        """
        if self.cleaned is None:
            return None
        inside = node.this if isinstance(node, exp.Table) else node
        places = [n.meta for n in inside.walk() if "start" in n.meta] if isinstance(inside, exp.Expr) else []
        if not places:
            return None
        return self.cleaned.span(min(p["start"] for p in places), max(p["end"] for p in places) + 1)

    def sync_span_of(self, table: exp.Table) -> Span | None:
        """The place in ``text`` of the name of the table's sync stream."""
        return table.meta.get("sync_span") if sync_of(table) is not None else None


@dataclass(frozen=True)
class CreateView(Statement):
    """``CREATE [OR REPLACE] [MATERIALIZED | VIRTUAL] [STREAMED | COMPLETE] VIEW [IF NOT EXISTS] name AS query``; the
    query has the view's mode."""

    name: str
    mode: Mode
    query: Query
    replace: bool = False
    keeping: Keeping | None = None
    if_not_exists: bool = False
    name_span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class Drop(Statement):
    """``DROP VIEW | STREAM | SOURCE [IF EXISTS] name``."""

    kind: DropKind
    name: str
    if_exists: bool = False
    name_span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class Show(Statement):
    """``SHOW SOURCES | STREAMS | VIEWS | SHARING | ADVANCES``."""

    what: ShowWhat


@dataclass(frozen=True)
class Describe(Statement):
    """``DESCRIBE name``."""

    name: str
    name_span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class Verify(Statement):
    """``VERIFY VIEW name [AT time]``; ``at`` None is the present."""

    name: str
    at: int | None = None
    name_span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)
    at_span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class Explain(Statement):
    """``EXPLAIN [PLAN | SKIN | SHARING] query``."""

    kind: ExplainKind
    query: Query
