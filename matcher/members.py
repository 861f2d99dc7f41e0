"""What the queries of a set could share: parts of them that one view may stand for, told in the same columns.

A *member* is some relations of a block of a query, joined as there, under one synchronization stream. Its columns are
named after their places (``0.temperature`` is a column of the first relation, in the order of names) and it is read at
every tick, so that members over the same relations can be compared whoever asked for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeVar

from matcher.block import Base, Block, Grouping, LeftJoin, Query, columns_of, map_columns, syncs, with_sync
from matcher.index import all_parts
from matcher.rewrite import nondeterministic
from syncsql.algebra.expressions import AggregateCall, Call, Column, Expr, Literal, has_now, sql, substitute
from syncsql.algebra.sync import CLOCK, Sync

T = TypeVar("T")
Conditions = tuple[Expr, ...]

# All connected subsets of so many relations are looked at; of more, each alone and all together.
_MOST_SOURCES = 5
_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "<=>": "<=>"}


@dataclass(frozen=True)
class Member:
    """The relations number ``taken`` of ``part``, a block of query number ``query``, with its left joins or without.

    ``conditions`` pairs the block's conditions with what they are in columns of places, None where a view cannot have
    them. ``wanted`` are the columns that the rest of the block reads; ``grouping`` is the block's, where all of the
    block is taken.
    """

    query: int
    part: Block
    taken: frozenset[int]
    sources: tuple[Base, ...]
    lefts: tuple[LeftJoin, ...]
    conditions: tuple[tuple[Expr, Expr | None], ...]
    wanted: tuple[Column, ...]
    grouping: Grouping | None
    sync: Sync

    @property
    def where(self) -> tuple[Expr, ...]:
        return tuple(dict.fromkeys(c for _, c in self.conditions if c is not None))

    @property
    def shape(self) -> str:
        """Equal for members that read the same relations joined in the same way."""
        joins = sorted(text(c) for c in self.where if isinstance(c, Call) and c.op == "=" and _joins(c))
        lefts = [f"{j.source.columns[0].id}: {' & '.join(sorted(map(text, j.on)))}" for j in self.lefts]
        return "; ".join([*(f"{s.scan.kind} {s.name.lower()}" for s in self.all_sources), *joins, *lefts])

    @property
    def all_sources(self) -> tuple[Base, ...]:
        return (*self.sources, *(j.source for j in self.lefts if isinstance(j.source, Base)))

    @property
    def calls(self) -> tuple[AggregateCall, ...]:
        return () if self.grouping is None else tuple(call for _, call in self.grouping.calls)

    @property
    def keys(self) -> tuple[Expr, ...]:
        return () if self.grouping is None else tuple(e for _, e in self.grouping.keys)


def text(expr: Expr) -> str:
    return sql(expr, lambda c: c.id)


def _joins(equation: Call) -> bool:
    return len({c.id.split(".")[0] for c in columns_of(equation)}) == 2


def members(number: int, query: Query) -> Iterator[Member]:
    """The members of query ``number``, the largest of a block first."""
    for part in all_parts(query):
        if isinstance(part, Block) and not nondeterministic(part):
            yield from _members(number, part)


def _members(number: int, part: Block) -> Iterator[Member]:
    bases = [i for i, s in enumerate(part.sources) if isinstance(s, Base)]
    simple = len(bases) == len(part.sources) and all(isinstance(j.source, Base) for j in part.lefts)
    if part.lefts and simple and _one_sync(part, bases, True):
        yield _member(number, part, bases, True)
    sizes = range(len(bases), 0, -1) if len(bases) <= _MOST_SOURCES else (len(bases), 1)
    for size in sizes:
        for taken in combinations(bases, size):
            if _one_sync(part, list(taken), False) and _connected(part, taken):
                yield _member(number, part, list(taken), False)


def _one_sync(part: Block, taken: list[int], lefts: bool) -> bool:
    sources = [part.sources[i] for i in taken] + ([j.source for j in part.lefts] if lefts else [])
    return len({s.scan.sync for s in sources if isinstance(s, Base)}) == 1


def _connected(part: Block, taken: tuple[int, ...]) -> bool:
    """Whether conditions link the relations, so that a view of them is no product."""
    home = {c.id: i for i in taken for c in part.sources[i].columns}
    reached, grown = {taken[0]}, True
    while grown:
        linked = [{home[c.id] for c in columns_of(p) if c.id in home} for p in part.where]
        more = {i for places in linked if places & reached for i in places} - reached
        reached |= more
        grown = bool(more)
    return len(reached) == len(taken)


def _member(number: int, part: Block, taken: list[int], with_lefts: bool) -> Member:
    order = sorted(taken, key=lambda i: (_base(part.sources[i]).name.lower(), i))
    bases = [_base(part.sources[i]) for i in order]
    optional = [_base(j.source) for j in part.lefts] if with_lefts else []
    by = {
        c.id: Column(f"{n}.{s.place(c)}", c.name, c.type) for n, s in enumerate((*bases, *optional)) for c in s.columns
    }
    sync = bases[0].scan.sync

    def placed(value: T) -> T:
        return with_sync(map_columns(value, lambda c: by.get(c.id, c)), CLOCK)

    def condition(expr: Expr) -> Expr | None:
        own = all(c.id in by for c in columns_of(expr))
        # A view tells the time only where it is refreshed at every tick.
        timely = syncs(Block((), (), (expr,))) <= {sync} and (sync.is_clock or not has_now(expr))
        return oriented(placed(expr)) if own and timely else None

    conditions = tuple((c, condition(c)) for c in part.where)
    whole = len(taken) == len(part.sources) and with_lefts == bool(part.lefts)
    rest = [c for c, mine in conditions if mine is None]
    if not with_lefts:
        rest += [e for j in part.lefts for e in j.on]
    if part.grouping is None:
        rest += [e for _, e in part.outputs]
    else:
        rest += [e for _, e in part.grouping.keys]
        rest += [c.argument for _, c in part.grouping.calls if c.argument is not None]
    wanted = dict.fromkeys(by[c.id] for e in rest for c in columns_of(e) if c.id in by)
    grouping = None if part.grouping is None or not whole else placed(part.grouping)
    if any(mine is None for _, mine in conditions):
        # What the view cannot have is a condition on rows, so the view must show rows.
        grouping = None
    lefts = tuple(LeftJoin(placed(j.source), tuple(oriented(placed(e)) for e in j.on)) for j in part.lefts)
    sources = tuple(placed(b) for b in bases)
    return Member(
        number, part, frozenset(taken), sources, lefts if with_lefts else (), conditions, tuple(wanted), grouping, sync
    )


def _base(source: object) -> Base:
    assert isinstance(source, Base)
    return source


def oriented(expr: Expr) -> Expr:
    """``expr`` with its comparisons turned so that a column stands before a constant, and of two columns the first."""

    def turned(part: Expr) -> Expr | None:
        if not isinstance(part, Call) or part.op not in _MIRROR:
            return None
        left, right = part.args
        first = isinstance(right, Column) and (
            isinstance(left, Literal) or (isinstance(left, Column) and left.id > right.id)
        )
        op = _MIRROR[part.op]
        return replace(part, op=op, pieces=("(", f" {op} ", ")"), args=(right, left)) if first else None

    return substitute(expr, turned)
