"""A view on the way to be aligned with a query: what was found of it among the query's relations."""

from __future__ import annotations

from dataclasses import dataclass, replace

from matcher.block import Block, Grouping, LeftJoin, syncs
from matcher.verdict import Step
from syncsql.algebra.expressions import Expr, columns_in, substitute_columns
from syncsql.algebra.sync import Sync


@dataclass(frozen=True)
class Partial:
    """``columns`` are the view's columns in terms of the query's, for the relations that were found so far. These are
    number ``mapped`` of the query's relations, and number ``lefts`` of its left joins."""

    query: Block
    columns: dict[str, Expr]
    mapped: frozenset[int] = frozenset()
    lefts: frozenset[int] = frozenset()
    partners: tuple[LeftJoin, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def sync(self) -> Sync:
        """The stream under which the relations are read that view and query have in common so far."""
        return next(iter(syncs(Block(tuple(self.query.sources[i] for i in self.mapped), ()))))


def substituted(block: Block, by: dict[str, Expr]) -> Block:
    """``block`` with the columns of its rows replaced; those of its grouping stay."""

    def one(expr: Expr) -> Expr:
        return substitute_columns(expr, by)

    grouping = block.grouping
    if grouping is not None:
        calls = tuple(
            (c, call if call.argument is None else replace(call, argument=one(call.argument)))
            for c, call in grouping.calls
        )
        grouping = Grouping(tuple((c, one(e)) for c, e in grouping.keys), calls, grouping.having)
    return replace(
        block,
        where=tuple(one(e) for e in block.where),
        lefts=tuple(LeftJoin(j.source, tuple(one(e) for e in j.on)) for j in block.lefts),
        outputs=block.outputs if grouping is not None else tuple((c, one(e)) for c, e in block.outputs),
        grouping=grouping,
    )


def columns_in_all(parts: tuple[Expr, ...]) -> set[str]:
    return set().union(*(columns_in(p) for p in parts))
