"""The normal form that queries and views are compared in: blocks of select, project, join and group.

::

    π outputs ( γ keys, calls, σ having ( σ where ( sources × … ⟕ lefts ) ) )

A source is a relation or a nested query that does not dissolve into the block around it. DISTINCT is a grouping by all
columns without calls; a semi or anti join is a condition of ``where``; (A ⟕ B) ⋈ C is (A × C) ⟕ B with C's condition in
``where``. All columns have ids that are unique within a query, and free columns of a block are those of the outer row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from syncsql.algebra.expressions import AggregateCall, Column, Expr, Now, Subquery, columns_in, walk
from syncsql.algebra.normalize import syncs_of
from syncsql.algebra.relations import Scan
from syncsql.algebra.relations import scans as plan_scans
from syncsql.algebra.sync import Sync

Item = tuple[Column, Expr]
T = TypeVar("T")


@dataclass(frozen=True)
class Base:
    """A relation that is read as it is stored."""

    scan: Scan

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.scan.columns

    @property
    def name(self) -> str:
        return self.scan.name

    def place(self, column: Column) -> str:
        """What a column is called among the relation's: its name, or the sign of the hidden TS."""
        return "⟨TS⟩" if column == self.scan.ts else column.name.lower()

    @cached_property
    def by_place(self) -> dict[str, Column]:
        return {self.place(c): c for c in self.columns}


@dataclass(frozen=True)
class Derived:
    """A nested query as a source."""

    query: Query

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.query.columns


Source = Base | Derived


@dataclass(frozen=True)
class LeftJoin:
    """⟕ source ON on: each row so far with every row of ``source`` for which ``on`` is true, or once with NULLs."""

    source: Source
    on: tuple[Expr, ...]


@dataclass(frozen=True)
class Grouping:
    """γ: one row per value of ``keys`` (exactly one row without keys), of which those with ``having`` stay."""

    keys: tuple[Item, ...]
    calls: tuple[tuple[Column, AggregateCall], ...]
    having: tuple[Expr, ...] = ()

    @property
    def is_distinct(self) -> bool:
        return bool(self.keys) and not self.calls and not self.having


@dataclass(frozen=True)
class Block:
    sources: tuple[Source, ...]
    outputs: tuple[Item, ...]
    where: tuple[Expr, ...] = ()
    lefts: tuple[LeftJoin, ...] = ()
    grouping: Grouping | None = None

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(c for c, _ in self.outputs)

    @property
    def all_sources(self) -> tuple[Source, ...]:
        return (*self.sources, *(j.source for j in self.lefts))

    @property
    def rows(self) -> tuple[Column, ...]:
        """The columns of the rows that are selected from, before grouping and projection."""
        return tuple(c for s in self.all_sources for c in s.columns)


@dataclass(frozen=True)
class Union:
    """∪ ALL of the branches; columns correspond by position."""

    branches: tuple[Query, ...]
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class Pair:
    """INTERSECT or EXCEPT, of sets or of bags, or a FULL join (then ``on`` is its condition)."""

    kind: str
    left: Query
    right: Query
    columns: tuple[Column, ...]
    on: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Over:
    """A query with OVER expressions as further columns."""

    query: Block
    added: tuple[Item, ...]

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.query.columns, *(c for c, _ in self.added))


Query = Block | Union | Pair | Over


@dataclass(frozen=True)
class Rewritten(Subquery):
    """A subquery that was itself rewritten: its normal form stands for its plan."""

    query: Query = field(default_factory=lambda: Block((), ()))


def scans_of(subquery: Subquery) -> list[Scan]:
    """The relations that a subquery reads."""
    return relations(subquery.query) if isinstance(subquery, Rewritten) else plan_scans(subquery.plan)


def as_block(query: Query) -> Block:
    """Any query as a block; one that is none becomes its only source."""
    return query if isinstance(query, Block) else Block((Derived(query),), tuple((c, c) for c in query.columns))


def what_it_is(query: Query) -> str:
    """What a person calls a query inside another one."""
    if isinstance(query, Union):
        return "a UNION"
    if isinstance(query, Over):
        return "a function OVER a window"
    if isinstance(query, Pair):
        kind = query.kind.upper()
        return f"{'an' if kind[0] in 'EI' else 'a'} {kind}"
    return "a derived table"


def visible(query: Query, count: int) -> Query:
    """The first ``count`` columns of ``query``, without those that are carried along unseen."""
    if len(query.columns) == count:
        return query
    block = as_block(query)
    return replace(block, outputs=block.outputs[:count])


def parts(query: Query) -> tuple[Query, ...]:
    """The queries directly inside ``query``, without those of subqueries in expressions."""
    if isinstance(query, Block):
        return tuple(s.query for s in query.all_sources if isinstance(s, Derived))
    if isinstance(query, Union):
        return query.branches
    return (query.left, query.right) if isinstance(query, Pair) else (query.query,)


def expressions(query: Query) -> Iterator[Expr]:
    """Every expression that ``query`` evaluates, those of nested queries apart."""
    if isinstance(query, Block):
        yield from query.where
        for join in query.lefts:
            yield from join.on
        if query.grouping is not None:
            yield from (e for _, e in query.grouping.keys)
            yield from (c.argument for _, c in query.grouping.calls if c.argument is not None)
            yield from query.grouping.having
        yield from (e for _, e in query.outputs)
    elif isinstance(query, Pair):
        yield from query.on
    elif isinstance(query, Over):
        yield from (e for _, e in query.added)


def relations(query: Query, subqueries: bool = True) -> list[Scan]:
    """The relations that ``query`` reads anywhere."""
    found: list[Scan] = []
    if isinstance(query, Block):
        found += [s.scan for s in query.all_sources if isinstance(s, Base)]
    if subqueries:
        for expr in expressions(query):
            found += [s for e in walk(expr) if isinstance(e, Subquery) for s in scans_of(e)]
    for inner in parts(query):
        found += relations(inner, subqueries)
    return found


def syncs(query: Query) -> set[Sync]:
    """The synchronization streams under which ``query`` reads its relations and the time."""
    found = {s.sync for s in relations(query, subqueries=False)}
    todo = [query]
    while todo:
        inner = todo.pop()
        for expr in expressions(inner):
            found.update(times_of(expr))
        todo += parts(inner)
    return found


def times_of(expr: Expr) -> Iterator[Sync]:
    """The synchronization streams under which ``expr`` reads the time, and whatever its subqueries read."""
    for part in walk(expr):
        if isinstance(part, Now):
            yield part.sync
        elif isinstance(part, Rewritten):
            yield from syncs(part.query)
        elif isinstance(part, Subquery):
            yield from syncs_of(part.plan)


def map_columns(value: T, by: Callable[[Column], Column]) -> T:
    """``value`` with every column in it replaced, however deep."""

    def one(part: Any) -> Any:
        if isinstance(part, Column):
            return by(part)
        if not isinstance(part, Scan):
            return None
        ids = {c.id: by(c).id for c in part.outputs}
        key = None if part.key is None else tuple(ids.get(k, k) for k in part.key)
        ts = None if part.ts is None else by(part.ts)
        return replace(part, outputs=tuple(by(c) for c in part.outputs), ts=ts, key=key)

    return _mapped(value, one)


def with_sync(value: T, sync: Sync) -> T:
    """``value`` with every relation, and the time, read under ``sync``."""

    def by(part: Any) -> Any:
        if isinstance(part, Now):
            return Now(sync)
        return replace(part, sync=sync) if isinstance(part, Scan) and part.sync != sync else None

    return _mapped(value, by)


def _mapped(value: Any, by: Callable[[Any], Any]) -> Any:
    found = by(value)
    if found is not None:
        return found
    if isinstance(value, tuple):
        return tuple(_mapped(v, by) for v in value)
    if is_dataclass(value) and not isinstance(value, type | Sync):
        changed = {}
        for part in fields(value):
            old = getattr(value, part.name)
            if isinstance(old, tuple) or (is_dataclass(old) and not isinstance(old, Sync)):
                new = _mapped(old, by)
                if new is not old:
                    changed[part.name] = new
        return replace(value, **changed) if changed else value
    return value


def columns_of(expr: Expr) -> list[Column]:
    """The columns that ``expr`` reads, each once, in order."""
    return list(dict.fromkeys(e for e in walk(expr) if isinstance(e, Column)))


def reads(items: Iterator[Expr]) -> set[str]:
    return set().union(*(columns_in(e) for e in items))
